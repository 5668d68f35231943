import { bucketKey } from '@portal/contracts/shared/buckets'
import type { ReadModelView } from '@portal/platform/projection/projection'
import type { Write } from '@portal/platform/read-model/port'
import type { NotificationsEventOf } from '../bus-messages.ts'
import { itemList, itemOf, put, tallyOf, tallyRef } from '../read-model.ts'

/** Marks the notifications of an e-mail, and counts each once for its campaign. The inbox looks the same to its user. */
export const applyUnseenMail = async (
  { userId, notificationIds }: NotificationsEventOf<'UnseenMailSent'>['data'],
  at: string,
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const bucket = bucketKey(userId)
  const list = itemList(userId)
  const [entries, tallies] = await Promise.all([
    view.entries(
      bucket,
      notificationIds.map((member) => ({ list, member })),
    ),
    view.getMany(notificationIds.map((id) => tallyRef(bucket, id))),
  ])
  return notificationIds.flatMap((notificationId, index): readonly Write[] => {
    const entry = entries[index]
    if (!entry) return []
    const item = itemOf(entry.value)
    if (item.emailedAt !== undefined) return []
    const tally = tallyOf(tallies[index])
    return [
      { op: 'add', list, member: notificationId, score: entry.score, value: { ...item, emailedAt: at } },
      put(tallyRef(bucket, notificationId), { ...tally, emailed: (tally.emailed ?? 0) + 1 }),
    ]
  })
}
