import type { ConsumerEvents, ConsumerFetchStartEvent } from 'kafkajs'

type FetchListener = (event: Pick<ConsumerFetchStartEvent, 'payload'>) => void

type WatchFetchesOptions = {
  readonly kafka: {
    readonly events: Pick<ConsumerEvents, 'FETCH_START' | 'FETCH' | 'REBALANCING'>
    on(event: ConsumerEvents['FETCH_START'], listener: FetchListener): () => void
    on(event: ConsumerEvents['FETCH'], listener: FetchListener): () => void
    on(event: ConsumerEvents['REBALANCING'], listener: () => void): () => void
  }
  readonly lostConnections: () => number
  /** Called once when a fetch is not answered or no other follows, and again with `isGivenUp` if that lasts. */
  onSilent(silentMs: number, isGivenUp: boolean): void
  /** Called when a fetch is answered after `onSilent`. */
  onAnswer(): void
}

/** The activity of the consumer's health that an unanswered fetch fails. */
export const fetching = 'fetching'

const tickMs = 500
const ticksUntilSilent = 5
const ticksUntilGivenUp = 10

/**
 * Detects a connection that is open but silent. Kafka answers a fetch after 250 ms, also without messages. The next one follows at once,
 * unless a heartbeat on the other connection is not answered. kafkajs waits 10 s and more for either.
 *
 * A connection that has closed is no such case: kafkajs connects again without leaving the group. A busy process reads the answers that
 * have arrived between two ticks, so its own delay is no silence.
 */
export const watchFetches = ({ kafka, lostConnections, onSilent, onAnswer }: WatchFetchesOptions): { stop(): void } => {
  type Wait = { readonly lostBefore: number; ticks: number }
  const unanswered = new Map<number, Wait>()
  /** From the start of one fetch to that of the next; undefined while the group is rebalanced. */
  let next: Wait | undefined
  let isSilent = false
  const removeListeners = [
    kafka.on(kafka.events.FETCH_START, ({ payload: { nodeId } }) => {
      const lostBefore = lostConnections()
      unanswered.set(nodeId, { lostBefore, ticks: 0 })
      next = { lostBefore, ticks: 0 }
    }),
    kafka.on(kafka.events.FETCH, ({ payload: { nodeId } }) => {
      unanswered.delete(nodeId)
      if (!isSilent || unanswered.size > 0) return
      isSilent = false
      onAnswer()
    }),
    kafka.on(kafka.events.REBALANCING, () => {
      next = undefined
    }),
  ]
  const timer = setInterval(() => {
    const waits = [...unanswered.values(), ...(next === undefined ? [] : [next])]
    const isConnected = ({ lostBefore }: Wait): boolean => lostBefore === lostConnections()
    const ticks = Math.max(0, ...waits.filter(isConnected).map((wait) => ++wait.ticks))
    if (ticks !== ticksUntilSilent && ticks !== ticksUntilGivenUp) return
    isSilent = true
    onSilent(ticks * tickMs, ticks === ticksUntilGivenUp)
  }, tickMs)
  timer.unref()
  return {
    stop: () => {
      clearInterval(timer)
      for (const remove of removeListeners) remove()
    },
  }
}
