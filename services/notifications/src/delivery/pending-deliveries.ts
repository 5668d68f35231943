import { bucketKey } from '@portal/contracts/shared/buckets'
import { eventTime } from '@portal/contracts/shared/event-envelope'
import type { UserId } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import type { Projection, ReadModelView } from '@portal/platform/projection/projection'
import type { DocumentRef, Entry, Range, ReadStore, Write } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { authEventOf, type NotificationsEventOf, notificationsEventOf } from '../bus-messages.ts'
import { maxAttempts } from '../campaign/decider.ts'
import { put } from '../read-model.ts'
import { type Attempt, attemptFrom, attemptKey } from './attempts.ts'
import {
  endPostponed,
  maxPostponedPerUser,
  type PostponedUser,
  postponeUsers,
  putPostponed,
  readPostponedUsers,
} from './postponed-users.ts'
import { countPushes } from './recent-pushes.ts'

/**
 * The projection of pending deliveries: per bucket, the campaigns with recipients without an outcome, in the order
 * sent. One entry per chunk keeps it small, because a campaign is pending for seconds. A rebuild from the log
 * restores it exactly. Recorded as 'ledger'.
 */
const projectionName = 'ledger'

/** Members are attempts (attemptKey), scores are their ordinals in the bucket. */
const openList = 'open'

const lastOrdinalRef = (bucket: string): DocumentRef => ({ partition: bucket, collection: 'open-ordinal', key: 'last' })
const ordinalSchema = z.number().int().default(0)

const userIdsSchema = z.array(z.string().brand<'UserId'>())

const openSchema = z.object({
  /** When the campaign was sent or resent; ISO 8601. */
  sentAt: z.string(),
  pending: userIdsSchema,
  /** Pending recipients who have read some notification since, perhaps this one. */
  active: userIdsSchema,
  /** Recipients whose push waits. They are in the list of postponed users, too. */
  postponed: userIdsSchema.default([]),
  /** Until when recipients last had to wait for their push, or might have: that does not make it too old. ISO 8601. */
  waitedUntil: z.string().optional(),
  /** Why it must not be pushed any more; absent unless an admin stopped it. */
  stopped: z.string().optional(),
})

/** The recipients in one bucket who have no outcome of this attempt yet. */
export type PendingDelivery = z.infer<typeof openSchema> & Attempt & { readonly bucket: string }

const parseEntry = (bucket: string, { member, value }: Entry): PendingDelivery => ({
  ...attemptFrom(member),
  bucket,
  ...openSchema.parse(value),
})

/** Parsing this many with their recipients takes a few milliseconds. */
const maxEntriesPerRead = 100

/** Reads what waits for these users. */
export const readPostponedDeliveries = async (
  pendingDeliveries: Pick<ReadStore, 'entries'>,
  bucket: string,
  users: readonly PostponedUser[],
): Promise<readonly PendingDelivery[]> => {
  const due = new Set(users.map(({ userId }) => userId))
  const waitedUntil = users
    .map(({ until }) => until)
    .toSorted()
    .at(-1)
  const members = [...new Set(users.flatMap(({ attempts }) => attempts))]
  const entries: (Entry | undefined)[] = []
  for (let from = 0; from < members.length; from += maxEntriesPerRead) {
    const some = members.slice(from, from + maxEntriesPerRead)
    entries.push(
      ...(await pendingDeliveries.entries(
        bucket,
        some.map((member) => ({ list: openList, member })),
      )),
    )
    await yieldToEventLoop()
  }
  return entries.flatMap((entry) => {
    if (!entry) return []
    const open = parseEntry(bucket, entry)
    const pending = open.postponed.filter((userId) => due.has(userId))
    return pending.length > 0 ? [{ ...open, pending, active: [], postponed: [], waitedUntil }] : []
  })
}

/** Maximum number of deliveries per read. */
export const pendingPageSize = 200

export type NumberedPendingDelivery = PendingDelivery & { readonly ordinal: number }

const readRange = async (
  pendingDeliveries: Pick<ReadStore, 'range'>,
  bucket: string,
  range: Omit<Range, 'limit'>,
): Promise<readonly NumberedPendingDelivery[]> => {
  const entries = await pendingDeliveries.range(bucket, openList, { ...range, limit: pendingPageSize })
  return entries.map((entry) => ({ ...parseEntry(bucket, entry), ordinal: entry.score }))
}

/** Reads the newest page, oldest first. Fewer than `pendingPageSize` means that it is the whole list. */
export const readNewestPending = async (
  pendingDeliveries: Pick<ReadStore, 'range'>,
  bucket: string,
): Promise<readonly NumberedPendingDelivery[]> => {
  const newest = await readRange(pendingDeliveries, bucket, { order: 'descending' })
  return newest.toReversed()
}

/** Reads a page that starts at an ordinal. Fewer than `pendingPageSize` means that it is the last page. */
export const readPendingFrom = (
  pendingDeliveries: Pick<ReadStore, 'range'>,
  bucket: string,
  ordinal: number,
): Promise<readonly NumberedPendingDelivery[]> =>
  readRange(pendingDeliveries, bucket, { from: ordinal, order: 'ascending' })

/** Reads the oldest and the newest page, oldest first. That is the whole list unless very many cannot be settled. */
export const readPending = async (
  pendingDeliveries: Pick<ReadStore, 'range'>,
  bucket: string,
): Promise<readonly NumberedPendingDelivery[]> => {
  const newest = await readNewestPending(pendingDeliveries, bucket)
  const [first] = newest
  if (first === undefined || newest.length < pendingPageSize) return newest
  const oldest = await readPendingFrom(pendingDeliveries, bucket, 0)
  return [...oldest.filter(({ ordinal }) => ordinal < first.ordinal), ...newest]
}

/** Removes the entry when no recipient is left. */
const putPending = (delivery: PendingDelivery, ordinal: number): Write => {
  const { sentAt, pending, active, postponed, waitedUntil, stopped } = delivery
  const member = attemptKey(delivery)
  if (pending.length + active.length + postponed.length === 0) return { op: 'remove', list: openList, member }
  const value = {
    sentAt,
    pending,
    active,
    ...(postponed.length > 0 && { postponed }),
    ...(waitedUntil !== undefined && { waitedUntil }),
    ...(stopped !== undefined && { stopped }),
  }
  return { op: 'add', list: openList, member, score: ordinal, value }
}

/** Lists recipients as pending in an attempt. */
const addPending = async (
  { bucket, userIds, ...attempt }: Attempt & { readonly bucket: string; readonly userIds: UserId[] },
  sentAt: string,
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const entry = await view.entry(bucket, openList, attemptKey(attempt))
  if (entry) {
    const open = parseEntry(bucket, entry)
    return [putPending({ ...open, pending: [...open.pending, ...userIds] }, entry.score)]
  }
  const ref = lastOrdinalRef(bucket)
  const ordinal = ordinalSchema.parse(await view.get(ref)) + 1
  const open = { ...attempt, bucket, sentAt, pending: userIds, active: [], postponed: [] }
  return [putPending(open, ordinal), put(ref, ordinal)]
}

/** An outcome ends only its own attempt. */
const applySettled = async (
  { notificationId, bucket, outcomes }: NotificationsEventOf<'RecipientsSettled'>['data'],
  at: string,
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const byAttempt = [...Map.groupBy(outcomes, ({ attempt = 1 }) => attempt)]
  const members = byAttempt.map(([attempt]) => attemptKey({ notificationId, attempt }))
  const entries = await view.entries(
    bucket,
    members.map((member) => ({ list: openList, member })),
  )
  const noLonger = new Map<UserId, string[]>()
  const writes = byAttempt.flatMap(([, ended], index) => {
    const entry = entries[index]
    if (!entry) return []
    const open = parseEntry(bucket, entry)
    const settled = new Set(ended.map(({ userId }) => userId))
    const rest = (userIds: readonly UserId[]) => userIds.filter((userId) => !settled.has(userId))
    for (const userId of open.postponed)
      if (settled.has(userId)) noLonger.set(userId, [...(noLonger.get(userId) ?? []), entry.member])
    return [
      putPending(
        { ...open, pending: rest(open.pending), active: rest(open.active), postponed: rest(open.postponed) },
        entry.score,
      ),
    ]
  })
  return [
    ...writes,
    ...(await endPostponed(bucket, noLonger, view)),
    ...(await countPushes(outcomes, notificationId, at, view)),
  ]
}

/** The pushes to these pending recipients wait. All that waits for a user gets the new time. */
const applyPostponed = async (
  { notificationId, bucket, userIds, until, attempt = 1 }: NotificationsEventOf<'RecipientsPostponed'>['data'],
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const member = attemptKey({ notificationId, attempt })
  const [entry] = await view.entries(bucket, [{ list: openList, member }])
  if (!entry) return []
  const open = parseEntry(bucket, entry)
  const listed = new Set([...open.pending, ...open.active, ...open.postponed])
  const users = await readPostponedUsers(view, bucket, userIds)
  const attemptsOf = (userId: UserId): readonly string[] => users.get(userId)?.attempts ?? []
  const hasRoom = (userId: UserId): boolean =>
    attemptsOf(userId).length < maxPostponedPerUser || attemptsOf(userId).includes(member)
  const waiting = new Set(userIds.filter((userId) => listed.has(userId) && hasRoom(userId)))
  const rest = (some: readonly UserId[]) => some.filter((userId) => !waiting.has(userId))
  const postponed = [...rest(open.postponed), ...waiting]
  return [
    putPending(
      { ...open, pending: rest(open.pending), active: rest(open.active), postponed, waitedUntil: until },
      entry.score,
    ),
    ...(await postponeUsers(
      bucket,
      until,
      [...waiting].map((userId) => ({ userId, attempts: [...new Set([...attemptsOf(userId), member])] })),
      view,
    )),
  ]
}

/** Returns what waits for the user to the deliveries to decide. */
const endWaiting = async (
  userId: UserId,
  { to, at, isEnded }: { to: 'pending' | 'active'; at: string; isEnded: (attempt: Attempt) => boolean },
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const bucket = bucketKey(userId)
  const waiting = (await readPostponedUsers(view, bucket, [userId])).get(userId)
  if (!waiting) return []
  const { true: ended = [], false: attempts = [] } = Object.groupBy(waiting.attempts, (key) =>
    isEnded(attemptFrom(key)) ? 'true' : 'false',
  )
  if (ended.length === 0) return []
  const entries = await view.entries(
    bucket,
    ended.map((member) => ({ list: openList, member })),
  )
  const moved = entries.flatMap((entry) => {
    if (!entry) return []
    const open = parseEntry(bucket, entry)
    const postponed = open.postponed.filter((id) => id !== userId)
    return [putPending({ ...open, postponed, [to]: [...open[to], userId], waitedUntil: at }, entry.score)]
  })
  return [...moved, putPostponed({ ...waiting, attempts })]
}

const allAttempts = Array.from({ length: maxAttempts }, (_, index) => index + 1)

/** Marks all pending attempts of the campaign. The first reason stays. */
const applyStopped = async (
  { notificationId, bucket, reason }: NotificationsEventOf<'DeliveryStopped'>['data'],
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const entries = await view.entries(
    bucket,
    allAttempts.map((attempt) => ({ list: openList, member: attemptKey({ notificationId, attempt }) })),
  )
  return entries.flatMap((entry) => {
    if (!entry) return []
    const open = parseEntry(bucket, entry)
    return open.stopped === undefined ? [putPending({ ...open, stopped: reason }, entry.score)] : []
  })
}

/**
 * A user who reads one notification has probably seen the others, so all their pending deliveries move to `active`.
 */
const applyRead = async (userId: UserId, view: ReadModelView): Promise<readonly Write[]> => {
  const all = await readPending(view, bucketKey(userId))
  return all
    .filter(({ pending }) => pending.includes(userId))
    .map(({ ordinal, ...open }) => {
      const pending = open.pending.filter((id) => id !== userId)
      return putPending({ ...open, pending, active: [...open.active, userId] }, ordinal)
    })
}

/** Returns the delivery with nothing that waits for deactivated users: it is cancelled now. */
export const endWaitingOf = <D extends PendingDelivery>(delivery: D, deactivated: ReadonlySet<UserId>): D => {
  const { true: ended = [], false: postponed = [] } = Object.groupBy(delivery.postponed, (userId) =>
    deactivated.has(userId) ? 'true' : 'false',
  )
  return ended.length === 0 ? delivery : { ...delivery, pending: [...delivery.pending, ...ended], postponed }
}

/** Recently erased accounts of a bucket. A few suffice, because deliveries are pending for seconds. */
const erasedRef = (bucket: string): DocumentRef => ({
  partition: accountsPartition(bucket),
  collection: 'erased-accounts',
  key: 'newest',
})
const erasedKept = 500

/** All accounts of a bucket that are deactivated. */
const deactivatedRef = (bucket: string): DocumentRef => ({
  partition: accountsPartition(bucket),
  collection: 'deactivated-accounts',
  key: 'all',
})

/** A separate partition: messages of the topics 'auth' and 'notifications' have no common order. */
const accountsPartition = (bucket: string): string => `erased-${bucket}`

const accountsIn =
  (refOf: (bucket: string) => DocumentRef) =>
  async (pendingDeliveries: Pick<ReadStore, 'get'>, bucket: string): Promise<ReadonlySet<UserId>> =>
    new Set(userIdsSchema.default([]).parse(await pendingDeliveries.get(refOf(bucket))))

export const readErased = accountsIn(erasedRef)
export const readDeactivated = accountsIn(deactivatedRef)

const accountTypes = ['UserDeactivated', 'UserReactivated', 'UserErased'] as const
const isAccountType = (type: string): type is (typeof accountTypes)[number] =>
  accountTypes.some((known) => known === type)

const applyAccount = async (
  type: (typeof accountTypes)[number],
  userId: UserId,
  { bucket, view }: { readonly bucket: string; readonly view: ReadModelView },
): Promise<readonly Write[]> => {
  const [erased, deactivated] = await Promise.all([readErased(view, bucket), readDeactivated(view, bucket)])
  const others = [...deactivated].filter((id) => id !== userId)
  const isKnown = deactivated.has(userId)
  switch (type) {
    case 'UserDeactivated':
      return isKnown ? [] : [put(deactivatedRef(bucket), [...others, userId])]
    case 'UserReactivated':
      return isKnown ? [put(deactivatedRef(bucket), others)] : []
    case 'UserErased':
      return [
        put(erasedRef(bucket), [...erased, userId].slice(-erasedKept)),
        ...(isKnown ? [put(deactivatedRef(bucket), others)] : []),
      ]
  }
}

const consumedTypes: ReadonlySet<string> = new Set([
  'RecipientsTargeted',
  'RecipientsSettled',
  'RecipientsPostponed',
  'RecipientsResent',
  'DeliveryStopped',
  'NotificationRead',
  'AllNotificationsRead',
  'PreferencesChanged',
])

export const pendingDeliveriesProjection: Projection = {
  name: projectionName,
  version: 2,
  topics: ['notifications', 'auth'],
  partitionOf: ({ type, key }) => {
    if (isAccountType(type)) return accountsPartition(key)
    return consumedTypes.has(type) ? key : undefined
  },
  apply: async (envelope, view) => {
    if (envelope.topic === 'auth') {
      const { type, data } = authEventOf(envelope)
      return isAccountType(type) && 'userId' in data
        ? applyAccount(type, data.userId, { bucket: envelope.key, view })
        : []
    }
    const event = notificationsEventOf(envelope)
    switch (event.type) {
      case 'RecipientsTargeted': {
        const { text, bucket, userIds } = event.data
        const { notificationId } = text
        return addPending({ notificationId, attempt: 1, bucket, userIds }, eventTime(envelope), view)
      }
      case 'RecipientsResent':
        return addPending(event.data, eventTime(envelope), view)
      case 'DeliveryStopped':
        return applyStopped(event.data, view)
      case 'RecipientsSettled':
        return applySettled(event.data, eventTime(envelope), view)
      case 'RecipientsPostponed':
        return applyPostponed(event.data, view)
      case 'PreferencesChanged':
        return endWaiting(event.data.userId, { to: 'pending', at: eventTime(envelope), isEnded: () => true }, view)
      case 'NotificationRead':
      case 'AllNotificationsRead': {
        const { userId } = event.data
        // The rest is looked at when it is due. Decided now, it would wait again, with another event for each read.
        const isEnded = ({ notificationId }: Attempt): boolean =>
          event.type === 'AllNotificationsRead' || notificationId === event.data.notificationId
        return [
          ...(await applyRead(userId, view)),
          ...(await endWaiting(userId, { to: 'active', at: eventTime(envelope), isEnded }, view)),
        ]
      }
      default:
        return []
    }
  },
}
