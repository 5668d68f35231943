import { bucketKey } from '@portal/contracts/shared/buckets'
import { limits } from '@portal/contracts/shared/rules'
import type { UserId } from '@portal/contracts/shared/ids'
import type { ReadModelView } from '@portal/platform/projection/projection'
import type { Write } from '@portal/platform/read-model/port'
import type { NotificationsEventOf } from '../bus-messages.ts'
import {
  headOf,
  headRef,
  type InboxHead,
  isMarkedAsUnread,
  isRead,
  itemList,
  itemOf,
  type ItemState,
  markedUnreadOf,
  markedUnreadRef,
  put,
} from '../read-model.ts'
import { keepChange } from './kept-changes.ts'

/** Requests are rejected from `limits.markedUnreadPerUser` on, but concurrent ones can exceed that. A mark-all rewrites all. */
const maxOpen = 5 * limits.markedUnreadPerUser

type OneInInbox = NotificationsEventOf<'NotificationMarkedUnread'>['data']

/** Marks a notification as unread that was read. Changes no count of its campaign: the recipient has read it. */
export const applyMarkedUnread = async (
  { userId, notificationId }: OneInInbox,
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const marked = markedUnreadRef(userId)
  const [knownHead, entry, knownMarked] = await Promise.all([
    view.get(headRef(userId)),
    view.entry(bucketKey(userId), itemList(userId), notificationId),
    view.get(marked),
  ])
  if (!entry) return []
  const before = headOf(knownHead)
  const item = itemOf(entry.value)
  const { open, marks } = markedUnreadOf(knownMarked)
  const isFull = open.length >= maxOpen
  if (item.withdrawnAt !== undefined || !isRead(item, before) || isFull) return []

  const head = { ...before, seq: before.seq + 1, unread: before.unread + 1 }
  const value = { ...item, markedUnread: { times: (item.markedUnread?.times ?? 0) + 1 } }
  return [
    { op: 'add', list: itemList(userId), member: notificationId, score: entry.score, value },
    keepChange(userId, head, { kind: 'unread', notificationId }),
    put(headRef(userId), head),
    put(marked, { open: [...open, notificationId], marks: marks + 1 }),
  ]
}

const readAgain = (item: ItemState, at: string): ItemState => ({
  ...item,
  markedUnread: { times: item.markedUnread?.times ?? 1, readAt: at },
})

/** Reads a notification again that was marked as unread. Its first read is counted already. */
export const applyReadAgain = async (
  { userId, notificationId }: OneInInbox,
  at: string,
  { before, item, score }: { readonly before: InboxHead; readonly item: ItemState; readonly score: number },
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const marked = markedUnreadRef(userId)
  const { open, marks } = markedUnreadOf(await view.get(marked))
  const head = { ...before, seq: before.seq + 1, unread: before.unread - 1 }
  return [
    { op: 'add', list: itemList(userId), member: notificationId, score, value: readAgain(item, at) },
    keepChange(userId, head, { kind: 'read', notificationId, readAt: at }),
    put(headRef(userId), head),
    put(marked, { open: open.filter((id) => id !== notificationId), marks }),
  ]
}

/** What a mark-all does to the notifications that were marked as unread. */
type ReadAgainByAll = {
  /** How many of the inbox are marked as unread, covered or not. */
  readonly open: number
  /** How many of them it reads again. */
  readonly covered: number
  readonly writes: readonly Write[]
}

/** Reads those again that had arrived up to `readUpTo`. */
export const readAgainUpTo = async (
  userId: UserId,
  readUpTo: number,
  at: string,
  view: ReadModelView,
): Promise<ReadAgainByAll> => {
  const marked = markedUnreadRef(userId)
  const { open, marks } = markedUnreadOf(await view.get(marked))
  if (open.length === 0) return { open: 0, covered: 0, writes: [] }
  const list = itemList(userId)
  const entries = await view.entries(
    bucketKey(userId),
    open.map((member) => ({ list, member })),
  )
  const items = open.flatMap((notificationId, index) => {
    const entry = entries[index]
    const item = entry && itemOf(entry.value)
    if (entry === undefined || item === undefined) return []
    return item.withdrawnAt === undefined && isMarkedAsUnread(item)
      ? [{ notificationId, item, score: entry.score }]
      : []
  })
  const covered = items.filter(({ item }) => item.seq <= readUpTo)
  const stillOpen = items.filter(({ item }) => item.seq > readUpTo).map(({ notificationId }) => notificationId)
  return {
    open: items.length,
    covered: covered.length,
    writes: [
      ...covered.map(({ notificationId, item, score }): Write => ({
        op: 'add',
        list,
        member: notificationId,
        score,
        value: readAgain(item, at),
      })),
      put(marked, { open: stillOpen, marks }),
    ],
  }
}
