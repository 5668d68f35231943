import { bucketKey } from '@portal/contracts/shared/buckets'
import { notificationIdSchema, type UserId } from '@portal/contracts/shared/ids'
import type { ReadModelView } from '@portal/platform/projection/projection'
import type { Entry, Write } from '@portal/platform/read-model/port'
import { bucketDayRef, countArrivalsRead, countEntryRead, countReads, dayAt } from '../activity/counts.ts'
import type { NotificationsEventOf } from '../bus-messages.ts'
import { activityRef, countRead } from '../activity/campaign-activity.ts'
import {
  headOf,
  headRef,
  type InboxHead,
  isMarkedAsUnread,
  isRead,
  itemList,
  itemOf,
  type ReadWatermark,
  markList,
  markOf,
  put,
  tallyOf,
  tallyRef,
} from '../read-model.ts'
import { keepChange } from './kept-changes.ts'
import { applyReadAgain, readAgainUpTo } from './mark-unread.ts'

/** Applies the read of one notification. An item that is read already, or missing, changes nothing. */
export const applyRead = async (
  { userId, notificationId }: NotificationsEventOf<'NotificationRead'>['data'],
  at: string,
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const bucket = bucketKey(userId)
  const tally = tallyRef(bucket, notificationId)
  const activity = activityRef(bucket, notificationId)
  const [knownHead, entry, knownTally, knownActivity, day] = await Promise.all([
    view.get(headRef(userId)),
    view.entry(bucket, itemList(userId), notificationId),
    view.get(tally),
    view.get(activity),
    view.get(bucketDayRef(bucket, dayAt(new Date(at)))),
  ])
  const before = headOf(knownHead)
  if (!entry) return []
  const item = itemOf(entry.value)
  if (isRead(item, before)) return []
  if (isMarkedAsUnread(item))
    return applyReadAgain({ userId, notificationId }, at, { before, item, score: entry.score }, view)

  const head = { ...before, seq: before.seq + 1, unread: before.unread - 1 }
  const counted = tallyOf(knownTally)
  const value = { ...item, readAt: at }
  return [
    { op: 'add', list: itemList(userId), member: notificationId, score: entry.score, value },
    keepChange(userId, head, { kind: 'read', notificationId, readAt: at }),
    put(headRef(userId), head),
    put(tally, { ...counted, read: counted.read + 1 }),
    countRead(activity, knownActivity, at),
    ...(await countEntryRead({ bucket, at, arrivedAt: item.deliveredAt }, day, view)),
  ]
}

const putMark = (userId: UserId, readUpTo: number, mark: ReadWatermark): Write => ({
  op: 'add',
  list: markList(userId),
  member: String(readUpTo),
  score: readUpTo,
  value: mark,
})

const rangeSize = 500

/** Counts the arrivals after a watermark, and those among them that were never read. Usually none. */
const behindWatermark = async (
  userId: UserId,
  head: InboxHead,
  readUpTo: number,
  view: ReadModelView,
): Promise<{ readonly arrivals: number; readonly neverRead: number }> => {
  let arrivals = 0
  let neverRead = 0
  while (arrivals < head.total) {
    const to = head.total - arrivals
    const entries = await view.range(bucketKey(userId), itemList(userId), { to, order: 'descending', limit: rangeSize })
    for (const entry of entries) {
      const item = itemOf(entry.value)
      if (item.seq <= readUpTo) return { arrivals, neverRead }
      arrivals += 1
      if (item.readAt === undefined && item.withdrawnAt === undefined) neverRead += 1
    }
    if (entries.length === 0) break
  }
  return { arrivals, neverRead }
}

/** The `seq` up to which a mark-all reads; undefined if its newest item is not in the inbox. */
const watermarkOf = async (
  {
    userId,
    readUpTo,
    newestId,
  }: Pick<NotificationsEventOf<'AllNotificationsRead'>['data'], 'userId' | 'readUpTo' | 'newestId'>,
  view: ReadModelView,
): Promise<number | undefined> => {
  if (newestId === undefined) return readUpTo
  const entry = await view.entry(bucketKey(userId), itemList(userId), newestId)
  return entry && itemOf(entry.value).seq
}

/**
 * Applies a mark-all as a watermark, regardless of the number of items. What it covers never changes, so the
 * campaigns' counts can follow in slices (applyCovered). The number of newly read items is known at once.
 */
const coverUnread = async (
  { userId, readUpTo, at }: { readonly userId: UserId; readonly readUpTo: number; readonly at: string },
  before: InboxHead,
  markedUnread: number,
  view: ReadModelView,
): Promise<{ readonly newlyRead: number; readonly writes: readonly Write[] }> => {
  const nothing = { newlyRead: 0, writes: [] }
  if (readUpTo <= before.readUpTo) return nothing
  const behind = await behindWatermark(userId, before, readUpTo, view)
  const newlyRead = before.unread - markedUnread - behind.neverRead
  if (newlyRead === 0) return nothing

  const bucket = bucketKey(userId)
  const [[lastMark], day] = await Promise.all([
    view.range(bucket, markList(userId), { order: 'descending', limit: 1 }),
    view.get(bucketDayRef(bucket, dayAt(new Date(at)))),
  ])
  const fromArrival = lastMark === undefined ? 1 : markOf(lastMark.value).toArrival + 1
  const toArrival = before.total - behind.arrivals
  return {
    newlyRead,
    writes: [
      putMark(userId, readUpTo, { at, fromArrival, toArrival, counted: 0 }),
      countReads(bucket, at, day, newlyRead),
    ],
  }
}

/** Applies a mark-all: the unread items up to its newest one, and those that the user had marked as unread. */
export const applyAllRead = async (
  mark: NotificationsEventOf<'AllNotificationsRead'>['data'],
  at: string,
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const { userId } = mark
  const [found, readUpTo] = await Promise.all([view.get(headRef(userId)), watermarkOf(mark, view)])
  const before = headOf(found)
  if (readUpTo === undefined || readUpTo > before.seq) return []
  const again = await readAgainUpTo(userId, readUpTo, at, view)
  const { newlyRead, writes } = await coverUnread({ userId, readUpTo, at }, before, again.open, view)
  if (newlyRead + again.covered === 0) return []
  const head = {
    ...before,
    seq: before.seq + 1,
    unread: before.unread - newlyRead - again.covered,
    ...(newlyRead > 0 && { readUpTo }),
  }
  return [
    ...again.writes,
    ...writes,
    keepChange(userId, head, { kind: 'all-read', readUpTo, readAt: at }),
    put(headRef(userId), head),
  ]
}

const entriesBetween = async (
  userId: UserId,
  fromArrival: number,
  toArrival: number,
  view: ReadModelView,
): Promise<readonly Entry[]> => {
  const found: Entry[] = []
  for (let to = toArrival; to >= fromArrival; to -= rangeSize) {
    const from = Math.max(fromArrival, to - rangeSize + 1)
    const range = { from, to, order: 'descending', limit: rangeSize } as const
    found.push(...(await view.range(bucketKey(userId), itemList(userId), range)))
  }
  return found
}

/**
 * The largest slice has 5,000 arrivals, from at most `daySlots` days that are still counted, and a commit 10,000 writes:
 * the reads of the oldest 100 are missing in the charts of their campaigns.
 */
const maxActivities = 4_900

/**
 * Counts the reads of one slice of a mark-all for their campaigns and for the days of their arrivals. Each read counts once: an item read individually
 * has a `readAt`, and a covered item never gets one. An item that was withdrawn unread is not a read. Marks do not
 * overlap. Slices arrive in order, and repeated ones are skipped.
 */
export const applyCovered = async (
  covered: NotificationsEventOf<'ArrivalsCovered'>['data'],
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const { userId, skip, take } = covered
  const bucket = bucketKey(userId)
  const readUpTo = await watermarkOf(covered, view)
  if (readUpTo === undefined) return []
  const entry = await view.entry(bucket, markList(userId), String(readUpTo))
  if (!entry) return []
  const mark = markOf(entry.value)
  if (mark.counted !== skip) return []
  const toArrival = mark.toArrival - skip
  const fromArrival = Math.max(mark.fromArrival, toArrival - take + 1)
  const entries = await entriesBetween(userId, fromArrival, toArrival, view)
  const newlyRead = entries
    .map(({ member, value }) => ({ member, item: itemOf(value) }))
    .filter(({ item }) => item.readAt === undefined && item.wasUnread !== true)
  const read = newlyRead.map(({ member }) => notificationIdSchema.parse(member))
  const charted = read.slice(0, maxActivities)
  const [tallies, activities, days] = await Promise.all([
    view.getMany(read.map((id) => tallyRef(bucket, id))),
    view.getMany(charted.map((id) => activityRef(bucket, id))),
    countArrivalsRead(
      bucket,
      newlyRead.map(({ item }) => item.deliveredAt),
      view,
    ),
  ])
  const counts = read.map((id, index) => {
    const tally = tallyOf(tallies[index])
    return put(tallyRef(bucket, id), { ...tally, read: tally.read + 1 })
  })
  const charts = charted.map((id, index) => countRead(activityRef(bucket, id), activities[index], mark.at))
  return [...counts, ...charts, ...days, putMark(userId, readUpTo, { ...mark, counted: skip + take })]
}
