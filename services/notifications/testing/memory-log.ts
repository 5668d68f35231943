import type { NotificationText } from '@portal/contracts/notifications/events'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { DomainEvent } from '@portal/platform/decider/decider'
import type { Appended, Position, RecordedEvent } from '@portal/platform/event-store/port'
import { campaignDecider } from '../src/campaign/decider.ts'
import { someText, userIdAt } from './samples.ts'

/** One time per append, increasing and deterministic, as in a store. */
const timeOf = (row: number, stepMs: number): string => new Date(Date.UTC(2026, 0, 1) + row * stepMs).toISOString()

// As the SQLite store formats them.
const positionOf = (row: number): Position => String(row).padStart(16, '0') as Position

/**
 * An in-memory log for property tests with thousands of sequences. Given ids are kept, but not compared. Times are deterministic,
 * or those of `now`.
 */
export const createMemoryLog = (stepMs = 1_000, now?: () => Date) => {
  const events: RecordedEvent[] = []
  return {
    events: events as readonly RecordedEvent[],
    append: (stream: string, ...added: readonly (DomainEvent & { readonly id?: string })[]): Appended => {
      const at = now ? now().toISOString() : timeOf(events.length + 1, stepMs)
      for (const { id, type, data } of added) {
        const row = events.length + 1
        events.push({
          kind: 'event',
          position: positionOf(row),
          stream,
          revision: row,
          id: id ?? `event-${row}`,
          type,
          // As it would be read back.
          data: JSON.parse(JSON.stringify(data)),
          metadata: {},
          at,
        })
      }
      return { kind: 'appended', revision: events.length, position: positionOf(events.length) }
    },
  }
}
export type MemoryLog = ReturnType<typeof createMemoryLog>

/** The events of the n-th campaign, as the decider produces them. */
export const decidedSend = (n: number, userIds: readonly UserId[], more: Partial<NotificationText> = {}) => {
  const text = { ...someText(n), ...more }
  const decided = campaignDecider.decide(
    { type: 'SendCampaign', text, sentBy: userIdAt(0), userIds, knownUserIds: new Set(userIds) },
    campaignDecider.initial,
  )
  if (!decided.ok) throw new Error(decided.error.reason)
  return { stream: `campaign-${text.notificationId}`, events: decided.value }
}

export const recordSend = (
  log: Pick<MemoryLog, 'append'>,
  n: number,
  userIds: readonly UserId[],
  more?: Partial<NotificationText>,
): void => {
  const { stream, events } = decidedSend(n, userIds, more)
  log.append(stream, ...events)
}

/** Recalls a campaign, as the decider does with the events recorded so far. A second recall records nothing. */
export const recordRecall = (log: Pick<MemoryLog, 'append' | 'events'>, notificationId: NotificationId): void => {
  const stream = `campaign-${notificationId}`
  const state = log.events
    .filter((recorded) => recorded.stream === stream)
    .reduce(
      (before, recorded) => campaignDecider.evolve(before, campaignDecider.parse(recorded)),
      campaignDecider.initial,
    )
  const command = { type: 'RecallCampaign', notificationId, requestedBy: userIdAt(0) } as const
  const decided = campaignDecider.decide(command, state)
  if (!decided.ok) throw new Error(decided.error.reason)
  log.append(stream, ...decided.value)
}
