import { notificationNotFound } from '@portal/contracts/notifications/errors'
import type { InboxItem } from '@portal/contracts/notifications/notification'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import type { ApiError } from '@portal/platform/http/handler'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import { inboxCategory, type InboxEvent } from './events.ts'
import type { InboxReader, InboxState, InboxVersion, LatestInInbox } from './inbox-reader.ts'
import { inboxProjection } from './projection.ts'

type Deps = {
  readonly eventStore: Pick<EventStore, 'append'>
  readonly readModel: Pick<Checkpoints, 'whenApplied'>
  readonly inbox: Pick<InboxReader, 'head' | 'item' | 'latest'>
  readonly now: () => Date
}
type Answered = Pick<InboxState, 'epoch' | 'seq' | 'unread'>

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

export const createMarkRead = ({ eventStore, readModel, inbox, now }: Deps) => {
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

  return {
    /** Reading twice changes nothing. A recorded read succeeds with the current counts. */
    one: async (
      userId: UserId,
      notificationId: NotificationId,
      metadata: EventMetadata,
    ): Promise<Result<Answered & { readonly notification: InboxItem }, ApiError>> => {
      const found = await inbox.item(userId, notificationId)
      if (!found) return rejected(notificationNotFound)
      const { head, item: before } = found
      if (before.isRead) return ok({ notification: before, ...stateOf(head) })
      const id = deterministicEventId('read', userId, notificationId)
      const isApplied = await record({ type: 'NotificationRead', data: { userId, notificationId } }, id, metadata)
      const read = { ...before, isRead: true, readAt: now().toISOString() }
      if (!isApplied) return ok({ notification: read, ...stateOf(head) })
      const after = await inbox.item(userId, notificationId)
      // An admin has withdrawn it meanwhile, and its text must not return to the screen.
      if (!after) return rejected(notificationNotFound)
      return ok({ notification: after.item, ...stateOf(after.head) })
    },

    /** Everything that has arrived so far, or that had arrived at a version. Later arrivals stay unread. */
    all: async (userId: UserId, metadata: EventMetadata, upTo?: InboxVersion): Promise<Result<Answered, ApiError>> => {
      const latest = await inbox.latest(userId, upTo)
      const { head } = latest
      const event = allReadNow(userId, latest)
      if (head.unread === 0 || event === undefined) return ok(stateOf(head))
      const id = deterministicEventId('all-read', userId, event.data.newestId)
      const isApplied = await record(event, id, metadata)
      return ok(stateOf(isApplied ? await inbox.head(userId) : head))
    },
  }
}
export type MarkRead = ReturnType<typeof createMarkRead>
