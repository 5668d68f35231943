import { randomUUID } from 'node:crypto'
import { notificationIdSchema, type NotificationId, userIdSchema } from '@portal/contracts/shared/ids'
import { campaignDecider } from '@portal/notifications/campaign/decider'
import { inboxCategory } from '@portal/notifications/inbox/events'
import type { EventStore } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'

const users = 200
const appendsAtOnce = 32

const newUserId = () => userIdSchema.parse(randomUUID())

/** A history of many events in few appends: `sends` sends to the same 200 made-up people, who read all of them one by one. */
export const recordLongHistory = async (store: Pick<EventStore, 'append'>, sends: number): Promise<number> => {
  const readers = Array.from({ length: users }, newUserId)
  const sentBy = newUserId()
  const notifications: NotificationId[] = []
  let events = 0
  let appends: Promise<unknown>[] = []
  const append: EventStore['append'] = async (stream, expected, added) => {
    events += added.length
    const answer = store.append(stream, expected, added)
    appends.push(answer)
    if (appends.length >= appendsAtOnce) {
      await Promise.all(appends)
      appends = []
    }
    return answer
  }
  for (let n = 0; n < sends; n++) {
    const notificationId = notificationIdSchema.parse(randomUUID())
    const text = { notificationId, title: `Number ${n}`, message: 'Long ago.', type: 'General' } as const
    const decided = campaignDecider.decide(
      { type: 'SendCampaign', text, sentBy, userIds: readers, knownUserIds: new Set(readers) },
      campaignDecider.initial,
    )
    if (!decided.ok) throw new Error(decided.error.message)
    const sent = decided.value.map((event) => ({ id: randomUUID(), ...event }))
    await append(streamOf(campaignDecider.category, notificationId), 'any', sent)
    notifications.push(notificationId)
  }
  for (const userId of readers) {
    const reads = notifications.map((notificationId) => ({
      id: randomUUID(),
      type: 'NotificationRead',
      data: { userId, notificationId },
    }))
    await append(streamOf(inboxCategory, userId), 'any', reads)
  }
  await Promise.all(appends)
  return events
}
