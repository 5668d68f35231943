import type { OutcomeState } from '@portal/contracts/notifications/events'
import type { ReadModelView } from '@portal/platform/projection/projection'
import type { Write } from '@portal/platform/read-model/port'
import type { NotificationsEventOf } from '../bus-messages.ts'
import { itemList, tallyRef } from '../read-model.ts'
import { itemOf, tallyOf } from './documents.ts'

/**
 * How deliveries ended. The first outcome of a recipient in the log wins, so that whoever records outcomes needs
 * no lock: a second one, or one of somebody who was not targeted, changes neither the item nor the sums.
 */
export const applySettlement = async (
  { notificationId, bucket, outcomes }: NotificationsEventOf<'RecipientsSettled'>['data'],
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const tally = tallyRef(bucket, notificationId)
  const [known, entries] = await Promise.all([
    view.get(tally),
    view.entries(
      bucket,
      outcomes.map(({ userId }) => ({ list: itemList(userId), member: notificationId })),
    ),
  ])
  const settledHere = new Set<string>()
  const counts = new Map<OutcomeState, number>()
  const items: Write[] = []
  for (const [index, { userId, state, reason }] of outcomes.entries()) {
    const entry = entries[index]
    if (!entry || settledHere.has(userId)) continue
    const item = itemOf(entry.value)
    if (item.state !== undefined) continue
    settledHere.add(userId)
    counts.set(state, (counts.get(state) ?? 0) + 1)
    const value = { ...item, state, ...(reason === undefined ? {} : { reason }) }
    items.push({ op: 'add', list: itemList(userId), member: notificationId, score: entry.score, value })
  }
  if (items.length === 0) return []

  const after = { ...tallyOf(known) }
  for (const [state, count] of counts) after[state] += count
  return [...items, { op: 'put', collection: tally.collection, key: tally.key, value: after }]
}
