import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { ReadModel } from '@portal/platform/read-model/port'
import { headOf, type InboxHead, isRead, itemOf, type ItemState } from '../inbox/documents.ts'
import { headRef, itemList } from '../read-model.ts'
import { recipientRef } from '../recipient/projection.ts'

/** How a recipient stands who has no outcome in the ledger yet. */
export type Standing =
  /** Their inbox does not have it yet; to be asked again. */
  | { readonly kind: 'not-arrived' }
  /** An outcome is recorded; the ledger will hear of it. */
  | { readonly kind: 'settled' }
  /** They have seen it on an open tab, or read it. */
  | { readonly kind: 'live' }
  | { readonly kind: 'erased' }
  /** `seq` is what their inbox gave it. */
  | { readonly kind: 'pending'; readonly seq: number }

/** What the tabs have said: the highest seq that each user has been shown. */
export type SeenUpTo = (userId: UserId) => number

const standingOf = (item: ItemState | undefined, head: InboxHead, isErased: boolean, shownUpTo: number): Standing => {
  if (!item) return { kind: 'not-arrived' }
  if (item.state !== undefined) return { kind: 'settled' }
  if (isRead(item, head) || item.seq <= shownUpTo) return { kind: 'live' }
  return isErased ? { kind: 'erased' } : { kind: 'pending', seq: item.seq }
}

/** The read model takes at most 1,000 entries at once. */
const asked = 1_000

/** How recipients of one send, of one bucket, stand. In the order asked. */
export const recipientStandings = async (
  readModel: Pick<ReadModel, 'getMany' | 'entries'>,
  bucket: string,
  notificationId: NotificationId,
  userIds: readonly UserId[],
  seenUpTo: SeenUpTo,
): Promise<readonly Standing[]> => {
  const standings: Standing[] = []
  for (let from = 0; from < userIds.length; from += asked) {
    const some = userIds.slice(from, from + asked)
    const [entries, heads, recipients] = await Promise.all([
      readModel.entries(
        bucket,
        some.map((userId) => ({ list: itemList(userId), member: notificationId })),
      ),
      readModel.getMany(some.map(headRef)),
      readModel.getMany(some.map(recipientRef)),
    ])
    for (const [index, userId] of some.entries()) {
      const entry = entries[index]
      const isErased = recipients[index] === 'erased'
      standings.push(standingOf(entry && itemOf(entry.value), headOf(heads[index]), isErased, seenUpTo(userId)))
    }
  }
  return standings
}
