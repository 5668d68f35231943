import type { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import { withTimeout } from '../async/timeout.ts'

export type StopStep = { readonly name: string; stop(): Promise<void> }

/** Runs the steps one after the other, each with a timeout. A failed step does not prevent the following ones. */
export const stopInOrder = async (
  steps: readonly StopStep[],
  stepTimeoutMs: number,
  logger: Pick<Logger, 'error'>,
): Promise<'clean' | 'unclean'> => {
  let outcome: 'clean' | 'unclean' = 'clean'
  for (const { name, stop } of steps) {
    try {
      await withTimeout(stop(), stepTimeoutMs, `stopping ${name}`)
    } catch (err) {
      outcome = 'unclean'
      logger.error({ err, step: name }, 'stop step failed, continuing')
    }
  }
  return outcome
}

type StopOnSignals = {
  /** Steps in their order: entry points first, storage last. */
  readonly steps: readonly StopStep[]
  readonly logger: Pick<Logger, 'info' | 'error'>
  readonly stepTimeoutMs?: number
  readonly signals?: Pick<EventEmitter, 'on'>
  readonly exit?: (code: number) => void
}

/** The first SIGINT or SIGTERM runs all steps, a second one exits at once. */
export const stopOnSignals = ({
  steps,
  logger,
  stepTimeoutMs = 5_000,
  signals = process,
  exit = (code) => process.exit(code),
}: StopOnSignals): void => {
  let isStopping = false
  const stop = async (signal: string) => {
    logger.info({ signal }, 'stopping')
    const outcome = await stopInOrder(steps, stepTimeoutMs, logger)
    logger.info({ outcome }, 'stopped')
    exit(outcome === 'clean' ? 0 : 1)
  }
  const onSignal = (signal: string) => {
    if (isStopping) exit(1)
    else void stop(signal)
    isStopping = true
  }
  signals.on('SIGINT', onSignal)
  signals.on('SIGTERM', onSignal)
}
