import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Relay } from '@portal/platform/bus/relay'
import { UnreadableEventError } from '@portal/platform/bus/unreadable-event'
import type { EventStore, Position, Recorded } from '@portal/platform/event-store/port'

/** Counting stops there: so far behind, the exact number tells nobody more. */
const mostCounted = 10_000

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
const lookAt = (recorded: Recorded, { relay, isWaiting }: Behind): boolean | string => {
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
      if (event.kind === 'caught-up' || looked === mostCounted) break
      looked += 1
      const waiting = lookAt(event, behind)
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
    isAtLeast: looked === mostCounted,
    ms: oldestMs === undefined ? 0 : Math.max(0, nowMs - oldestMs),
    ...(standsBefore !== undefined && { standsBefore }),
  }
}
