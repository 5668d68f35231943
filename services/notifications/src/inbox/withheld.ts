import type { ReadModelView } from '@portal/platform/projection/projection'
import type { Write } from '@portal/platform/read-model/port'
import type { NotificationsEventOf } from '../bus-messages.ts'
import { put, recipientsOf, recipientsRef, tallyOf, tallyRef } from '../read-model.ts'

/** Counts planned recipients as cancelled. They get no inbox entry, because the campaign was stopped before. */
export const applyWithheld = async (
  { notificationId, bucket, userIds, reason }: NotificationsEventOf<'RecipientsWithheld'>['data'],
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const refs = { tally: tallyRef(bucket, notificationId), recipients: recipientsRef(bucket, notificationId) }
  const [knownTally, knownRecipients] = await Promise.all([view.get(refs.tally), view.get(refs.recipients)])
  const { settled, ...others } = recipientsOf(knownRecipients)
  const tally = tallyOf(knownTally)
  const isSame = (group: (typeof settled)[number]): boolean => group.isWithheld === true && group.reason === reason
  const before = settled.find(isSame)?.userIds ?? []
  const group = { state: 'cancelled' as const, reason, isWithheld: true as const, userIds: [...before, ...userIds] }
  return [
    put(refs.recipients, { ...others, settled: [...settled.filter((known) => !isSame(known)), group] }),
    put(refs.tally, {
      ...tally,
      targeted: tally.targeted + userIds.length,
      cancelled: tally.cancelled + userIds.length,
      withheld: (tally.withheld ?? 0) + userIds.length,
    }),
  ]
}
