import type { Envelope, Topic } from '@portal/contracts/shared/event-envelope'
import { parseLogCursors, positionOf } from '@portal/platform/bus/log-cursor'
import { createRelay, type Relay } from '@portal/platform/bus/relay'
import { UnreadableEventError } from '@portal/platform/bus/unreadable-event'
import type { EventStore, Position, RecordedEvent } from '@portal/platform/event-store/port'
import type { LogPublisherProgress, KafkaInspector } from '@portal/platform/operations/inspect-kafka'
import { publishersOf } from '../settings/consumers.ts'

/** Counting stops here, because the exact number does not matter beyond it. */
const maxCounted = 10_000

/** How far a consumer is behind. */
export type Lag = {
  readonly events: number
  /** There are more than `events`. */
  readonly isAtLeast: boolean
  /** The age of the oldest one. */
  readonly ms: number
  /** The position of the oldest one in the log. */
  readonly oldest?: string
  /** Estimated until none is left. Only for a lag that is late and shrinks. */
  readonly leftMs?: number
  /** The event that halts the consumer because only another release can read it. */
  readonly standsBefore?: string
}

/** A consumer with an older unhandled event is late. */
export const toleratedLagMs = 60_000

export const isLate = ({ ms }: Lag): boolean => ms > toleratedLagMs

type Behind = {
  readonly log: Pick<EventStore, 'subscribe'>
  readonly relay: Relay
  /** Everything up to this position was handled. */
  readonly after: Position | 'start'
  /** Whether the message is not handled yet. */
  isPending(envelope: Envelope): boolean
  readonly nowMs: number
}

/** Whether the event is not handled yet, or the reason why it is unreadable. */
const pendingOrUnreadable = (recorded: RecordedEvent, { relay, isPending }: Behind): boolean | string => {
  try {
    return relay.translate(recorded).some(isPending)
  } catch (error) {
    if (error instanceof UnreadableEventError) return error.message
    throw error
  }
}

/** Counts the unhandled events in the log after a position. */
export const lagInLog = async (behind: Behind): Promise<Lag> => {
  const { log, relay, after, nowMs } = behind
  const abort = new AbortController()
  let events = 0
  let read = 0
  let oldest: RecordedEvent | undefined
  let standsBefore: string | undefined
  try {
    for await (const event of log.subscribe(after, { categories: relay.categories }, abort.signal)) {
      if (event.kind === 'caught-up' || read === maxCounted) break
      read += 1
      const pending = pendingOrUnreadable(event, behind)
      if (pending === false) continue
      if (typeof pending === 'string') standsBefore ??= pending
      events += 1
      oldest ??= event
    }
  } finally {
    abort.abort()
  }
  return {
    events,
    isAtLeast: read === maxCounted,
    ms: oldest === undefined ? 0 : Math.max(0, nowMs - Date.parse(oldest.at)),
    ...(oldest !== undefined && { oldest: oldest.position }),
    ...(standsBefore !== undefined && { standsBefore }),
  }
}

type Consuming = {
  readonly topics: readonly Topic[]
  /** The cursor of each bus partition: everything up to it was handled. */
  readonly cursors: Readonly<Record<string, string>>
  /** Whether a message is not handled yet, if that is known more exactly than by cursors. */
  isPending?(envelope: Envelope): boolean
}

/** Computes the lag of a consumer behind the end of the log. */
export type LagOf = (consumer: Consuming) => Promise<Lag>

export const relayOf = (topics: readonly Topic[]): Relay => createRelay(topics.flatMap((topic) => publishersOf[topic]))

const lowest = (positions: readonly (Position | 'start')[]): Position | 'start' =>
  positions.includes('start') ? 'start' : (positions.toSorted()[0] ?? 'start')

type Log = Pick<EventStore, 'subscribe'>

/** If the bus is the log itself, cursors are positions in the log. */
export const lagByLog =
  (log: Log, nowMs: number): LagOf =>
  ({ topics, cursors, isPending = () => true }) => {
    const after = positionOf(parseLogCursors(cursors))
    return lagInLog({ log, relay: relayOf(topics), after, isPending, nowMs })
  }

/** The log position within a message position. */
const inLog = (position: string | undefined): Position | 'start' =>
  position === undefined ? 'start' : ((position.split(':')[0] ?? 'start') as Position)

/**
 * With Kafka, unpublished events are pending, and so are messages after the cursors. The lag is counted in events of the log, because
 * operators compare it with the log.
 */
export const lagByKafka = (
  log: Log,
  kafka: KafkaInspector,
  publishers: readonly LogPublisherProgress[],
  nowMs: number,
): LagOf => {
  let reading: ReturnType<KafkaInspector['bounds']> | undefined
  return async ({ topics, cursors, isPending }) => {
    const bounds = await (reading ??= kafka.bounds())
    const own = [...bounds].filter(([name]) => topics.some((topic) => name.startsWith(`${topic}-`)))
    const late = own.filter(([name, held]) => kafka.behind(cursors[name], held) > 0n).map(([name]) => name)
    const after = lowest([
      ...late.map((name) => inLog(kafka.positionOf(cursors[name]))),
      ...publishers
        .filter(({ service }) => topics.some((topic) => topic === service))
        .map(({ position }) => position ?? 'start'),
    ])
    const partitionOf = kafka.partitioning(bounds)
    const isBehindCursor = (envelope: Envelope): boolean =>
      envelope.position > (kafka.positionOf(cursors[partitionOf(envelope)]) ?? '')
    const lag = await lagInLog({ log, relay: relayOf(topics), after, isPending: isPending ?? isBehindCursor, nowMs })
    // A partially handled event is before `after`, so count at least one.
    return late.length > 0 && isPending === undefined ? { ...lag, events: Math.max(1, lag.events) } : lag
  }
}
