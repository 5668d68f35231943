import { once } from 'node:events'
import type { Logger } from 'pino'
import { createBackoff } from '../async/backoff.ts'
import type { Subscription } from '../bus/port.ts'
import type { Discontinuity } from '../discontinuity/discontinuity.ts'

type ConsumerLoopOptions = {
  readonly consumer: string
  readonly logger: Logger
  /** The discontinuity that halts the consumer, if any. */
  discontinuity(): Discontinuity | undefined
  /** Called before each subscription, after the previous one has ended. May find a discontinuity. Retried if it rejects. */
  beforeSubscribe(): Promise<void>
  /** Consumes from the stored cursors. Must handle nothing after `signal` has aborted. */
  consume(signal: AbortSignal): Promise<Pick<Subscription, 'stop'>>
  onHalted?(discontinuity: Discontinuity): void
}

export type ConsumerLoop = {
  /** Resolves once it consumes, is halted or was stopped. Rejects if the first subscription fails. */
  readonly started: Promise<void>
  /** The discontinuity that halts it. */
  haltedBy(): Discontinuity | undefined
  /** Aborts the subscription and starts another, unless a discontinuity halts the consumer. Returns at once. */
  resubscribe(): void
  /** Call it whenever the discontinuities may have changed. */
  discontinuitiesChanged(): void
  stop(): Promise<void>
}

/** Keeps a consumer subscribed until it is stopped. While a discontinuity halts it, it has no subscription. */
export const startConsumerLoop = (options: ConsumerLoopOptions): ConsumerLoop => {
  const { consumer, logger, discontinuity, beforeSubscribe, consume, onHalted } = options
  const backoff = createBackoff({ firstMs: 50, maxMs: 5_000 })
  const stopping = new AbortController()
  const started = Promise.withResolvers<void>()
  // Without a caller that waits, its rejection must not end the process.
  started.promise.catch(() => undefined)
  let current = new AbortController()
  let haltedBy: Discontinuity | undefined

  const resubscribe = () => current.abort()

  const subscribe = async (signal: AbortSignal): Promise<Pick<Subscription, 'stop'> | undefined> => {
    try {
      await beforeSubscribe()
      if (signal.aborted || discontinuity() !== undefined) return undefined
      const subscription = await consume(signal).catch((error: unknown) => {
        started.reject(error)
        throw error
      })
      backoff.reset()
      started.resolve()
      return subscription
    } catch (error) {
      if (signal.aborted || discontinuity() !== undefined) return undefined
      logger.error({ err: error, consumer }, 'consumer cannot subscribe, retrying')
      await backoff.pause(signal)
      resubscribe()
      return undefined
    }
  }

  /** Resolves when one subscription, or one halt, has ended. */
  const runOnce = async (signal: AbortSignal): Promise<void> => {
    haltedBy = discontinuity()
    const subscription = haltedBy === undefined ? await subscribe(signal) : undefined
    haltedBy ??= discontinuity()
    if (haltedBy !== undefined) {
      onHalted?.(haltedBy)
      started.resolve()
    }
    // A discontinuity that was found during subscribing ends the subscription at once.
    const endsAtOnce = haltedBy !== undefined && subscription !== undefined
    if (!signal.aborted && !endsAtOnce) await once(signal, 'abort')
    await subscription?.stop()
  }

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      current = new AbortController()
      await runOnce(current.signal)
    }
    started.resolve()
  }
  const running = run()

  return {
    started: started.promise,
    haltedBy: () => haltedBy,
    resubscribe,
    discontinuitiesChanged: () => {
      if ((discontinuity() === undefined) !== (haltedBy === undefined)) resubscribe()
    },
    async stop() {
      stopping.abort()
      resubscribe()
      await running
    },
  }
}
