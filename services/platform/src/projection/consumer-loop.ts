import { once } from 'node:events'
import type { Logger } from 'pino'
import { createBackoff } from '../async/backoff.ts'
import type { Subscription } from '../bus/port.ts'
import type { Discontinuity } from '../discontinuity/discontinuity.ts'

type ConsumerLoopOptions = {
  readonly consumer: string
  readonly logger: Logger
  /** What keeps the consumer from going on at the moment. */
  discontinuity(): Discontinuity | undefined
  /** Before each subscription, once the one before has ended. May find an obstacle. Tried again when it rejects. */
  prepare(): Promise<void>
  /** Consumes from the stored cursors. When `turn` aborts, nothing is to be handled any more. */
  consume(turn: AbortSignal): Promise<Pick<Subscription, 'stop'>>
  onHalted?(discontinuity: Discontinuity): void
}

export type ConsumerLoop = {
  /** Once it consumes or stands still, or was stopped. Rejects when the bus does not take the first subscription. */
  readonly started: Promise<void>
  /** What it stands still for. */
  haltedBy(): Discontinuity | undefined
  /** Gives up the subscription, then looks for obstacles and consumes anew. Returns at once. */
  resubscribe(): void
  /** To be called whenever obstacles may have changed. */
  discontinuitiesChanged(): void
  stop(): Promise<void>
}

/** Keeps a consumer subscribed, one subscription after the other, for as long as nothing stands in its way. */
export const startConsumerLoop = (options: ConsumerLoopOptions): ConsumerLoop => {
  const { consumer, logger, discontinuity, prepare, consume, onHalted } = options
  const backoff = createBackoff({ firstMs: 50, maxMs: 5_000 })
  const stopping = new AbortController()
  const started = Promise.withResolvers<void>()
  // Whoever does not wait for it must not be ended by it.
  started.promise.catch(() => undefined)
  let turn = new AbortController()
  let haltedBy: Discontinuity | undefined

  const resubscribe = () => turn.abort()

  const join = async (own: AbortSignal): Promise<Pick<Subscription, 'stop'>> => {
    try {
      return await consume(own)
    } catch (error) {
      started.reject(error)
      throw error
    }
  }

  const subscribe = async (own: AbortSignal): Promise<Pick<Subscription, 'stop'> | undefined> => {
    try {
      await prepare()
      if (own.aborted || discontinuity() !== undefined) return undefined
      const subscription = await join(own)
      backoff.reset()
      started.resolve()
      return subscription
    } catch (error) {
      if (own.aborted || discontinuity() !== undefined) return undefined
      logger.error({ err: error, consumer }, 'the consumer cannot subscribe, retrying')
      await backoff.pause(own)
      resubscribe()
      return undefined
    }
  }

  /** One subscription, or one standstill, to its end. */
  const takeTurn = async (own: AbortSignal): Promise<void> => {
    haltedBy = discontinuity()
    const subscription = haltedBy === undefined ? await subscribe(own) : undefined
    haltedBy ??= discontinuity()
    if (haltedBy !== undefined) {
      onHalted?.(haltedBy)
      started.resolve()
    }
    // What was found while it subscribed ends the subscription at once.
    const endsAtOnce = haltedBy !== undefined && subscription !== undefined
    if (!own.aborted && !endsAtOnce) await once(own, 'abort')
    await subscription?.stop()
  }

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      turn = new AbortController()
      const own = turn.signal
      await takeTurn(own)
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
