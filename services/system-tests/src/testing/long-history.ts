import { randomUUID } from 'node:crypto'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { inboxCategory } from '@portal/notifications/inbox/events'
import type { EventStore } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import { madeUpOutcomes, madeUpSend, newUserId } from './made-up-send.ts'

const users = 200
const appendsAtOnce = 32

/** A history of many events in few appends: `sends` settled sends to the same 200 made-up people, who read all of them one by one. */
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
    const { notificationId, stream, events: sent } = madeUpSend(n, sentBy, readers)
    await append(
      stream,
      'any',
      [...sent, madeUpOutcomes(notificationId, readers)].map((event) => ({ id: randomUUID(), ...event })),
    )
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
