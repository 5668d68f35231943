import type { Envelope, Topic } from '@portal/contracts/shared/event-envelope'
import { parseLogCursors, positionOf } from '@portal/platform/bus/log-cursor'
import { createRelay, type Relay } from '@portal/platform/bus/relay'
import { UnreadableEventError } from '@portal/platform/bus/unreadable-event'
import type { EventStore, Position, RecordedEvent } from '@portal/platform/event-store/port'
import type { LogPublisherProgress, KafkaInspector } from '@portal/platform/operations/inspect-kafka'
import { publishersOf } from '../settings/consumers.ts'

/** Counting stops there: so far behind, the exact number tells nobody more. */
const maxCounted = 10_000

/** How far a consumer is behind. */
export type Lag = {
  readonly events: number
  /** It is more than was counted. */
  readonly isAtLeast: boolean
  /** How long ago the oldest of them was recorded. */
  readonly ms: number
  /** Names the event that it cannot pass, which only another release can read. */
  readonly standsBefore?: string
}

type Behind = {
  readonly log: Pick<EventStore, 'subscribe'>
  readonly relay: Relay
  /** A low-water mark: up to there everything has been handled. */
  readonly after: Position | 'start'
  /** Whether this message has yet to be handled. */
  isWaiting(envelope: Envelope): boolean
  readonly nowMs: number
}

/** Whether the event has yet to be handled; or why it cannot be. */
const isPending = (recorded: RecordedEvent, { relay, isWaiting }: Behind): boolean | string => {
  try {
    return relay.translate(recorded).some(isWaiting)
  } catch (error) {
    if (error instanceof UnreadableEventError) return error.message
    throw error
  }
}

/** What lies in the log behind a low-water mark and has yet to be handled. */
export const lagInLog = async (behind: Behind): Promise<Lag> => {
  const { log, relay, after, nowMs } = behind
  const abort = new AbortController()
  let events = 0
  let looked = 0
  let oldestMs: number | undefined
  let standsBefore: string | undefined
  try {
    for await (const event of log.subscribe(after, { categories: relay.categories }, abort.signal)) {
      if (event.kind === 'caught-up' || looked === maxCounted) break
      looked += 1
      const waiting = isPending(event, behind)
      if (waiting === false) continue
      if (typeof waiting === 'string') standsBefore ??= waiting
      events += 1
      oldestMs ??= Date.parse(event.at)
    }
  } finally {
    abort.abort()
  }
  return {
    events,
    isAtLeast: looked === maxCounted,
    ms: oldestMs === undefined ? 0 : Math.max(0, nowMs - oldestMs),
    ...(standsBefore !== undefined && { standsBefore }),
  }
}

type Place = Position | 'start'

type Consuming = {
  readonly topics: readonly Topic[]
  /** Per bus partition: up to there everything has been handled. */
  readonly cursors: Readonly<Record<string, string>>
  /** Whether a message has yet to be handled, where that is known more exactly than by cursors. */
  isWaiting?(envelope: Envelope): boolean
}

/** How far behind the log's end a consumer is. */
export type LagOf = (consumer: Consuming) => Promise<Lag>

export const relayOf = (topics: readonly Topic[]): Relay => createRelay(topics.flatMap((topic) => publishersOf[topic]))

const lowest = (places: readonly Place[]): Place =>
  places.includes('start') ? 'start' : (places.toSorted()[0] ?? 'start')

type Log = Pick<EventStore, 'subscribe'>

/** Where the bus is the log's own tail: its cursors are positions of the log. */
export const lagByLog =
  (log: Log, nowMs: number): LagOf =>
  ({ topics, cursors, isWaiting = () => true }) => {
    const after = positionOf(parseLogCursors(cursors))
    return lagInLog({ log, relay: relayOf(topics), after, isWaiting, nowMs })
  }

/** The log's part of a message's position. */
const inLog = (position: string | undefined): Place =>
  position === undefined ? 'start' : ((position.split(':')[0] ?? 'start') as Place)

/**
 * Where the bus is Kafka: what has not been carried there yet is waiting, and so is what lies behind the cursors of those of its
 * partitions that hold more. The log tells how much that is, and since when; its events are what a portal counts in.
 */
export const lagByKafka =
  (log: Log, kafka: KafkaInspector, feeds: readonly LogPublisherProgress[], nowMs: number): LagOf =>
  async ({ topics, cursors, isWaiting }) => {
    const bounds = [...(await kafka.bounds())].filter(([name]) => topics.some((topic) => name.startsWith(`${topic}-`)))
    const late = bounds.filter(([name, held]) => kafka.behind(cursors[name], held) > 0n).map(([name]) => name)
    const after = lowest([
      ...late.map((name) => inLog(kafka.positionOf(cursors[name]))),
      ...feeds
        .filter(({ service }) => topics.some((topic) => topic === service))
        .map((feed) => feed.position ?? 'start'),
    ])
    const partitionOf = await kafka.partitioning()
    const isBehindCursor = (envelope: Envelope): boolean =>
      envelope.position > (kafka.positionOf(cursors[partitionOf(envelope)]) ?? '')
    const lag = await lagInLog({ log, relay: relayOf(topics), after, isWaiting: isWaiting ?? isBehindCursor, nowMs })
    // The rest of an event of which only the first messages have been handled lies before `after`.
    return late.length > 0 && isWaiting === undefined ? { ...lag, events: Math.max(1, lag.events) } : lag
  }
