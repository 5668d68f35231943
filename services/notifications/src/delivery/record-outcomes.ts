import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import type { EventStore, Position } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import { LRUCache } from 'lru-cache'
import { type CampaignEventOf, groupByBucket, packChunks } from '../campaign/events.ts'
import { campaignDecider } from '../campaign/decider.ts'
import type { Moment } from './send-times.ts'

/**
 * Records how deliveries ended, on the stream of their send.
 *
 * Not by a decision on that stream: it would mean loading 10,000 recipients, and all outcomes so far, for every few that are
 * added, and conflicts between the worker and the tabs that report. Instead outcomes are facts, appended with expected
 * revision 'any', and the first of a recipient in the log wins wherever they are read (applySettlement, applySettled).
 * The ids come from the content, so an append that is tried again records nothing twice. Answers up to where in the log
 * they are recorded.
 */
export const recordOutcomes = async (
  eventStore: Pick<EventStore, 'append'>,
  notificationId: NotificationId,
  outcomes: readonly DeliveryOutcome[],
): Promise<Position> => {
  const chunks = packChunks(groupByBucket(outcomes, ({ userId }) => bucketKey(userId)))
  const stream = streamOf(campaignDecider.category, notificationId)
  // An append each: they are independent, and the store commits together what arrives together.
  const appended = await Promise.all(
    chunks.map(async (chunk) => {
      const settled = chunk.map(({ bucket, items }) => ({ bucket, outcomes: [...items] }))
      const event: CampaignEventOf<'RecipientsSettled'> = {
        type: 'RecipientsSettled',
        data: { notificationId, settled },
      }
      const id = deterministicEventId('settled', notificationId, JSON.stringify(settled))
      const answer = await eventStore.append(stream, 'any', [{ id, ...event }])
      if (answer.kind === 'conflict') throw new Error('The store reported a conflict where none can be')
      return answer.position
    }),
  )
  const last = appended.toSorted().at(-1)
  if (last === undefined) throw new Error('There are no outcomes to record')
  return last
}

/** Who has an outcome by the log: a read model may be behind, or be about to be built anew. */
export const readSettled = async (
  eventStore: Pick<EventStore, 'read'>,
  notificationId: NotificationId,
): Promise<ReadonlySet<UserId>> => {
  const settled = new Set<UserId>()
  for await (const recorded of eventStore.read(streamOf(campaignDecider.category, notificationId))) {
    const event = campaignDecider.parse(recorded)
    if (event.type !== 'RecipientsSettled') continue
    for (const { outcomes } of event.data.settled) for (const { userId } of outcomes) settled.add(userId)
  }
  return settled
}

/** So long a write that succeeded shows that the next one will: a busy worker asks nothing. */
const recentMs = 1_000

/**
 * Records outcomes, and knows whether the log takes any. A push whose outcome is not recorded is made again after a crash, so nothing
 * is pushed while the log takes no writes, as with a full disk.
 */
export const createOutcomeRecorder = (eventStore: Pick<EventStore, 'append' | 'check'>, now: () => Moment) => {
  let recordedAtMs = Number.NEGATIVE_INFINITY
  return {
    /** Up to where in the log they are recorded. */
    record: async (notificationId: NotificationId, outcomes: readonly DeliveryOutcome[]): Promise<Position> => {
      try {
        const position = await recordOutcomes(eventStore, notificationId, outcomes)
        recordedAtMs = now().steadyMs
        return position
      } catch (error) {
        recordedAtMs = Number.NEGATIVE_INFINITY
        throw error
      }
    },
    canRecord: async (): Promise<boolean> => {
      if (now().steadyMs - recordedAtMs < recentMs) return true
      try {
        await eventStore.check()
        return true
      } catch {
        // What is wrong is in the health of the process; the delivery is looked at again.
        return false
      }
    },
  }
}
export type OutcomeRecorder = ReturnType<typeof createOutcomeRecorder>

/** Far more than are on their way at a time. */
const maxUnconfirmed = 100_000

/**
 * What was done and is not known to be recorded: should it come up again, it is recorded again but not pushed again. Holds what is on
 * its way, and forgets it when the inbox or the ledger has it.
 */
export const createUnconfirmedOutcomes = () => {
  const outcomes = new LRUCache<string, DeliveryOutcome>({ max: maxUnconfirmed })
  const keyOf = (notificationId: NotificationId, userId: UserId): string => `${notificationId} ${userId}`
  return {
    get: (notificationId: NotificationId, userId: UserId) => outcomes.get(keyOf(notificationId, userId)),
    set: (notificationId: NotificationId, outcome: DeliveryOutcome): void =>
      void outcomes.set(keyOf(notificationId, outcome.userId), outcome),
    delete: (notificationId: NotificationId, userId: UserId): void =>
      void outcomes.delete(keyOf(notificationId, userId)),
  }
}
export type UnconfirmedOutcomes = ReturnType<typeof createUnconfirmedOutcomes>
