import { notificationNotFound, tooManyMarkedUnread } from '@portal/contracts/notifications/errors'
import type { InboxItem } from '@portal/contracts/notifications/notification'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import type { ApiError } from '@portal/platform/http/handler'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import { inboxCategory, type InboxEvent } from './events.ts'
import type { InboxReader, InboxState, InboxVersion, ItemInInbox, LatestInInbox } from './inbox-reader.ts'
import { inboxProjection } from './projection.ts'

type MarkReadDeps = {
  readonly eventStore: Pick<EventStore, 'append'>
  readonly readModel: Pick<Checkpoints, 'whenApplied'>
  readonly inbox: Pick<InboxReader, 'head' | 'item' | 'latest' | 'countMarkedUnread'>
  readonly now: () => Date
}
type Answered = Pick<InboxState, 'epoch' | 'seq' | 'unread'>
type InboxItemRef = { readonly userId: UserId; readonly notificationId: NotificationId }
type AnsweredItem = Answered & { readonly notification: InboxItem }

/** A notification can be read again after it was marked as unread, so its events have a number, except the first read. */
const eventIdOf = (type: 'read' | 'unread', userId: UserId, notificationId: NotificationId, number: number): string =>
  deterministicEventId(type, userId, notificationId, ...(number === 0 ? [] : [String(number)]))

/**
 * The read model may be behind the event store. Then an event can have the id of a recorded one, which the event store
 * takes for a repetition. After the wait for the projection the next attempt has the right number.
 */
const maxAttempts = 3

/**
 * Builds a mark-all of everything that the user can see at this state. It names the newest notification instead of
 * a number, so that a projection with another numbering interprets it the same way. Undefined for an empty inbox.
 */
export const allReadNow = (userId: UserId, { head, newestId, arrivals: last, lastMark }: LatestInInbox) => {
  if (newestId === undefined) return undefined
  // A concurrent mark-all may have covered all of them.
  const arrivals = Math.max(1, last - (lastMark?.toArrival ?? 0))
  const data = { userId, newestId, readUpTo: head.seq, arrivals }
  return { type: 'AllNotificationsRead', data } as const satisfies InboxEvent
}

export const createMarkRead = ({ eventStore, readModel, inbox, now }: MarkReadDeps) => {
  /** Records the action and waits for the projection. Returns false if that takes too long. */
  const record = async (event: InboxEvent, id: string, metadata: EventMetadata): Promise<boolean> => {
    const { userId } = event.data
    const appended = await eventStore.append(streamOf(inboxCategory, userId), 'any', [{ id, ...event, metadata }])
    if (appended.kind === 'conflict') throw new Error("the event store reported a conflict for expected revision 'any'")
    return waitForProjection(readModel, {
      projection: inboxProjection,
      partition: bucketKey(userId),
      eventPosition: appended.position,
    })
  }

  const stateOf = ({ epoch, seq, unread }: InboxState): Answered => ({ epoch, seq, unread })

  /** Records an event until the notification has the wanted state. `isDone` is false if the projection ignores it. */
  const change = async (
    { userId, notificationId }: InboxItemRef,
    isWanted: (item: InboxItem) => boolean,
    eventFor: (found: ItemInInbox) => { readonly event: InboxEvent; readonly id: string; readonly expected: InboxItem },
    metadata: EventMetadata,
  ): Promise<Result<{ readonly answer: AnsweredItem; readonly isDone: boolean }, ApiError>> => {
    for (let attempts = 0; ; attempts++) {
      const found = await inbox.item(userId, notificationId)
      // An admin may have withdrawn it, and its text must not return to the screen.
      if (!found) return rejected(notificationNotFound)
      const { head, item } = found
      const isDone = isWanted(item)
      if (isDone || attempts === maxAttempts) return ok({ answer: { notification: item, ...stateOf(head) }, isDone })
      const { event, id, expected } = eventFor(found)
      const isApplied = await record(event, id, metadata)
      if (!isApplied) return ok({ answer: { notification: expected, ...stateOf(head) }, isDone: true })
    }
  }

  return {
    /** Reading twice changes nothing. A recorded read succeeds with the current counts. */
    one: async (
      userId: UserId,
      notificationId: NotificationId,
      metadata: EventMetadata,
    ): Promise<Result<AnsweredItem, ApiError>> => {
      const read = ({ item, timesMarkedUnread }: ItemInInbox) => ({
        event: { type: 'NotificationRead', data: { userId, notificationId } } as const,
        id: eventIdOf('read', userId, notificationId, timesMarkedUnread),
        expected: { ...item, isRead: true, readAt: now().toISOString() },
      })
      const changed = await change({ userId, notificationId }, ({ isRead }) => isRead, read, metadata)
      return changed.ok ? ok(changed.value.answer) : changed
    },

    /** Marking an unread one changes nothing. A recorded mark succeeds with the current counts. */
    unread: async (
      userId: UserId,
      notificationId: NotificationId,
      metadata: EventMetadata,
    ): Promise<Result<AnsweredItem, ApiError>> => {
      const mark = ({ item, timesMarkedUnread }: ItemInInbox) => ({
        event: { type: 'NotificationMarkedUnread', data: { userId, notificationId } } as const,
        id: eventIdOf('unread', userId, notificationId, timesMarkedUnread + 1),
        expected: { ...item, isRead: false, readAt: null },
      })
      if ((await inbox.countMarkedUnread(userId)) >= limits.markedUnreadPerUser) return rejected(tooManyMarkedUnread)
      const changed = await change({ userId, notificationId }, ({ isRead }) => !isRead, mark, metadata)
      if (!changed.ok) return changed
      return changed.value.isDone ? ok(changed.value.answer) : rejected(tooManyMarkedUnread)
    },

    /** Everything that has arrived so far, or that had arrived at a version. Later arrivals stay unread. */
    all: async (userId: UserId, metadata: EventMetadata, upTo?: InboxVersion): Promise<Result<Answered, ApiError>> => {
      const latest = await inbox.latest(userId, upTo)
      const { head } = latest
      const event = allReadNow(userId, latest)
      if (head.unread === 0 || event === undefined) return ok(stateOf(head))
      const { unreadMarks } = latest
      // After a mark as unread, a mark-all up to the same notification is another action.
      const id = deterministicEventId(
        'all-read',
        userId,
        event.data.newestId,
        ...(unreadMarks === 0 ? [] : [String(unreadMarks)]),
      )
      const isApplied = await record(event, id, metadata)
      return ok(stateOf(isApplied ? await inbox.head(userId) : head))
    },
  }
}
export type MarkRead = ReturnType<typeof createMarkRead>
