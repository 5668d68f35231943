import type { ConsumerEvents, ConsumerFetchStartEvent } from 'kafkajs'

type FetchListener = (event: Pick<ConsumerFetchStartEvent, 'payload'>) => void

type WatchFetchesOptions = {
  readonly kafka: {
    readonly events: Pick<ConsumerEvents, 'FETCH_START' | 'FETCH'>
    on(event: ConsumerEvents['FETCH_START'], listener: FetchListener): () => void
    on(event: ConsumerEvents['FETCH'], listener: FetchListener): () => void
  }
  readonly lostConnections: () => number
  /** Called once for each fetch that Kafka leaves unanswered, and again with `isGivenUp` if that lasts. */
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
 * Detects a connection that is open but silent. Kafka answers a fetch after 250 ms, also without messages, whereas kafkajs waits 10 s and
 * more. A connection that has closed is no such case: kafkajs connects again, without leaving the group. A busy process reads the answers
 * that have arrived between two ticks, so its own delay is no silence.
 */
export const watchFetches = ({ kafka, lostConnections, onSilent, onAnswer }: WatchFetchesOptions): { stop(): void } => {
  const unanswered = new Map<number, { readonly lostBefore: number; ticks: number }>()
  let isSilent = false
  const removeListeners = [
    kafka.on(kafka.events.FETCH_START, ({ payload: { nodeId } }) => {
      unanswered.set(nodeId, { lostBefore: lostConnections(), ticks: 0 })
    }),
    kafka.on(kafka.events.FETCH, ({ payload: { nodeId } }) => {
      unanswered.delete(nodeId)
      if (!isSilent || unanswered.size > 0) return
      isSilent = false
      onAnswer()
    }),
  ]
  const timer = setInterval(() => {
    for (const fetch of unanswered.values()) {
      if (fetch.lostBefore !== lostConnections()) continue
      fetch.ticks++
      if (fetch.ticks !== ticksUntilSilent && fetch.ticks !== ticksUntilGivenUp) continue
      isSilent = true
      onSilent(fetch.ticks * tickMs, fetch.ticks === ticksUntilGivenUp)
    }
  }, tickMs)
  timer.unref()
  return {
    stop: () => {
      clearInterval(timer)
      for (const remove of removeListeners) remove()
    },
  }
}
