import type { Envelope, Topic } from '@portal/contracts/shared/event-envelope'
import { setTimeout as delay } from 'node:timers/promises'
import { yieldToEventLoop } from '../../async/event-loop-budget.ts'
import type { EventStore, Position } from '../../event-store/port.ts'
import { type LogPosition, logPosition, positionOf } from '../log-cursor.ts'
import type { Relay } from '../relay.ts'
import { atLogPlace } from './cursor.ts'
import { type Item, logItem } from './item.ts'
import type { AssignedPartition } from './partition.ts'
import { partitionOf } from './layout.ts'
import { earliest } from './start.ts'

/** How long the others wait for a partition that takes no more. */
const laggardMs = 5_000

export type Log = Pick<EventStore, 'subscribe' | 'end' | 'holds'>

/** A partition whose gap is closed from the log. */
export type Lane = {
  readonly topic: Topic
  readonly partition: number
  /** How many partitions the feed spreads the topic's keys over. */
  readonly layout: number
  /** What lies before is handled already. */
  readonly from: LogPosition
  readonly into: Pick<AssignedPartition, 'push' | 'isFull' | 'room' | 'crossed'>
}

const isBehind = (position: Position | 'start', place: LogPosition): boolean => {
  const reached = positionOf(place)
  return position !== 'start' && (reached === 'start' || position > reached)
}

/** Which messages of an event go to which lane; of each lane's the last one ends the event there. */
export const routed = <Of extends Pick<Lane, 'topic' | 'partition' | 'layout' | 'from'>>(
  lanes: Iterable<Of>,
  position: Position,
  envelopes: readonly Envelope[],
): ReadonlyMap<Of, readonly Item[]> => {
  const items = new Map<Of, readonly Item[]>()
  for (const lane of lanes) {
    if (!isBehind(position, lane.from)) continue
    const own = envelopes.filter(
      ({ topic, key }) => topic === lane.topic && partitionOf(key, lane.layout) === lane.partition,
    )
    if (own.length > 0) {
      items.set(
        lane,
        own.map((envelope, index) => logItem(envelope, index === own.length - 1)),
      )
    }
  }
  return items
}

export type CrossingOptions = {
  readonly log: Log
  readonly relay: Relay
  readonly lanes: readonly Lane[]
  /** Everything that Kafka held when the lanes' partitions were looked at lies at or before this position. */
  readonly until: Position | 'start'
  readonly signal: AbortSignal
  /** Until it succeeds; undefined when stopped before. */
  persist<T>(what: string, work: () => Promise<T>): Promise<T | undefined>
}

/** Resolves when all have room, or with those that have not after a while. */
const withoutRoom = async (lanes: readonly Lane[], waitMs: number): Promise<readonly Lane[]> => {
  const full = new Set(lanes.filter(({ into }) => into.isFull()))
  if (full.size === 0) return []
  const waiting = new AbortController()
  const allHaveRoom = Promise.all(
    [...full].map(async (lane) => {
      await lane.into.room()
      full.delete(lane)
    }),
  )
  const tooLong = delay(waitMs, undefined, { signal: waiting.signal }).catch(() => undefined)
  await Promise.race([allHaveRoom, tooLong])
  waiting.abort()
  return [...full]
}

/**
 * Reads the log once for all lanes, each from its own place, up to its end; then Kafka's messages come next. A lane that takes no
 * more holds the others up for a moment only, and reads the rest for itself.
 */
export const cross = async (options: CrossingOptions): Promise<void> => {
  const { log, relay, lanes, until, signal, persist } = options
  const topics = [...new Set(lanes.map(({ topic }) => topic))]
  const left = new Set(lanes)
  const alone: Promise<void>[] = []
  let reached: LogPosition = earliest(lanes.map(({ from }) => from))

  const goOnAlone = async (lane: Lane) => {
    const rest = { ...lane, from: reached }
    await lane.into.room()
    if (!signal.aborted) await cross({ ...options, lanes: [rest] })
  }

  const waitForRoom = async () => {
    const waitMs = lanes.length === 1 ? undefined : laggardMs
    if (waitMs === undefined) return Promise.all([...left].map(({ into }) => into.room()))
    for (const laggard of await withoutRoom([...left], waitMs)) {
      left.delete(laggard)
      const going = goOnAlone(laggard)
      // Its failure is that of all, who wait for it at the end.
      going.catch(() => undefined)
      alone.push(going)
    }
    return undefined
  }

  /** The end of the log when it has been read up to there; undefined when nothing is left to be read. */
  const readOn = async (): Promise<LogPosition | undefined> => {
    const attempt = new AbortController()
    try {
      const both = AbortSignal.any([signal, attempt.signal])
      for await (const item of log.subscribe(reached, { categories: relay.categories }, both)) {
        await yieldToEventLoop()
        if (signal.aborted) return undefined
        if (item.kind === 'caught-up') {
          if (until !== 'start' && isBehind(until, item.position)) continue
          return item.position === positionOf(reached) ? reached : logPosition(item.position, item.eventId)
        }
        const items = routed(left, item.position, relay.translate(item, topics))
        for (const [lane, own] of items) lane.into.push(own)
        reached = logPosition(item.position, item.id)
        await waitForRoom()
        if (left.size === 0) return undefined
      }
      if (signal.aborted) return undefined
      throw new Error('The event store ended the subscription')
    } finally {
      attempt.abort()
    }
  }

  const end = await persist('reading the log', readOn)
  if (end !== undefined && !signal.aborted) {
    await Promise.all([...left].map((lane) => lane.into.crossed(atLogPlace(end))))
  }
  await Promise.all(alone)
}
