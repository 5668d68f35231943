import type { ReadModelView } from '@portal/platform/projection/projection'
import type { Write } from '@portal/platform/read-model/port'
import type { NotificationsEventOf } from '../bus-messages.ts'
import { put, recipientsRef, tallyRef } from '../read-model.ts'
import { type OutcomeGroup, recipientsOf, tallyOf } from './documents.ts'

const sameEnd = (a: Pick<OutcomeGroup, 'state' | 'reason'>, b: Pick<OutcomeGroup, 'state' | 'reason'>): boolean =>
  a.state === b.state && a.reason === b.reason

/**
 * How deliveries ended. The first outcome of a recipient in the log wins, so that whoever records outcomes needs
 * no lock: a second one, or one of somebody who was not targeted, changes nothing.
 */
export const applySettlement = async (
  { notificationId, bucket, outcomes }: NotificationsEventOf<'RecipientsSettled'>['data'],
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const refs = { tally: tallyRef(bucket, notificationId), recipients: recipientsRef(bucket, notificationId) }
  const [knownTally, knownRecipients] = await Promise.all([view.get(refs.tally), view.get(refs.recipients)])
  const before = recipientsOf(knownRecipients)
  const pending = new Set(before.pending)
  const settled = before.settled.map((group) => ({ ...group, userIds: [...group.userIds] }))
  const tally = { ...tallyOf(knownTally) }
  for (const { userId, ...end } of outcomes) {
    if (!pending.delete(userId)) continue
    tally[end.state] += 1
    const group = settled.find((known) => sameEnd(known, end))
    if (group) group.userIds.push(userId)
    else settled.push({ ...end, userIds: [userId] })
  }
  if (pending.size === before.pending.length) return []
  return [put(refs.recipients, { pending: [...pending], settled }), put(refs.tally, tally)]
}
