import type { UserId } from '@portal/contracts/shared/ids'
import type { DomainEvent } from '@portal/platform/decider/decider'
import type { Appended, Position, RecordedEvent } from '@portal/platform/event-store/port'
import { campaignDecider } from '../src/campaign/decider.ts'
import { someText, userIdAt } from './samples.ts'

/** One append has one time, as in a store; each is later than the one before, and always the same. */
const timeOf = (row: number, stepMs: number): string => new Date(Date.UTC(2026, 0, 1) + row * stepMs).toISOString()

// As the SQLite store writes them.
const positionOf = (row: number): Position => String(row).padStart(16, '0') as Position

/**
 * A log without a store, for tests that try thousands of orders. Ids are not compared. Times are the same in each run, or those of
 * `now`.
 */
export const createMemoryLog = (stepMs = 1_000, now?: () => Date) => {
  const events: RecordedEvent[] = []
  return {
    events: events as readonly RecordedEvent[],
    append: (stream: string, ...added: readonly DomainEvent[]): Appended => {
      const at = now ? now().toISOString() : timeOf(events.length + 1, stepMs)
      for (const { type, data } of added) {
        const row = events.length + 1
        events.push({
          kind: 'event',
          position: positionOf(row),
          stream,
          revision: row,
          id: `event-${row}`,
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

/** The n-th send, as the decider has it. */
export const decidedSend = (n: number, userIds: readonly UserId[]) => {
  const text = someText(n)
  const decided = campaignDecider.decide(
    { type: 'SendCampaign', text, sentBy: userIdAt(0), userIds, knownUserIds: new Set(userIds) },
    campaignDecider.initial,
  )
  if (!decided.ok) throw new Error(decided.error.reason)
  return { stream: `campaign-${text.notificationId}`, events: decided.value }
}

export const recordSend = (log: Pick<MemoryLog, 'append'>, n: number, userIds: readonly UserId[]): void => {
  const { stream, events } = decidedSend(n, userIds)
  log.append(stream, ...events)
}
