import { notificationNotFound } from '@portal/contracts/notifications/errors'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import type { ApiError } from '@portal/platform/http/handler'
import type { ReadModelView } from '@portal/platform/projection/projection'
import type { Write } from '@portal/platform/read-model/port'
import type { NotificationsEventOf } from '../bus-messages.ts'
import { itemList, itemOf, put, tallyOf, tallyRef } from '../read-model.ts'
import { inboxCategory, type InboxEvent } from './events.ts'
import type { InboxReader } from './inbox-reader.ts'

/** Records that a user followed the button of a notification, once. Nobody waits for the count. */
export const createRecordClick =
  (eventStore: Pick<EventStore, 'append'>, inbox: Pick<InboxReader, 'item'>) =>
  async (
    userId: UserId,
    notificationId: NotificationId,
    metadata: EventMetadata,
  ): Promise<Result<undefined, ApiError>> => {
    const found = await inbox.item(userId, notificationId)
    if (!found?.item.button) return rejected(notificationNotFound)
    if (found.isClicked) return ok(undefined)
    const event: InboxEvent = { type: 'ButtonClicked', data: { userId, notificationId } }
    const id = deterministicEventId('clicked', userId, notificationId)
    await eventStore.append(streamOf(inboxCategory, userId), 'any', [{ id, ...event, metadata }])
    return ok(undefined)
  }
export type RecordClick = ReturnType<typeof createRecordClick>

/** Counts a user's first click for the campaign. The inbox looks the same to its user. */
export const applyClick = async (
  { userId, notificationId }: NotificationsEventOf<'ButtonClicked'>['data'],
  at: string,
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const bucket = bucketKey(userId)
  const list = itemList(userId)
  const tally = tallyRef(bucket, notificationId)
  const [entry, known] = await Promise.all([view.entry(bucket, list, notificationId), view.get(tally)])
  const item = entry && itemOf(entry.value)
  if (!item || item.clickedAt !== undefined) return []
  const counted = tallyOf(known)
  return [
    { op: 'add', list, member: notificationId, score: entry.score, value: { ...item, clickedAt: at } },
    put(tally, { ...counted, clicked: (counted.clicked ?? 0) + 1 }),
  ]
}
