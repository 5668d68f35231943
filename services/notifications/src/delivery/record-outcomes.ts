import type { Outcome } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import type { EventStore, Position } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import { groupByBucket, packChunks } from '../campaign/chunks.ts'
import { campaignDecider } from '../campaign/decider.ts'
import type { CampaignEventOf } from '../campaign/events.ts'

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
  outcomes: readonly Outcome[],
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
