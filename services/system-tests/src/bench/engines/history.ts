import { randomUUID } from 'node:crypto'
import { inboxCategory } from '@portal/notifications/inbox/events'
import type { DomainEvent } from '@portal/platform/decider/decider'
import type { EventStore } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import { madeUpSend, newUserId } from '../../testing/made-up-send.ts'

const recipientsEach = 100
const readers = 500
const appendsAtOnce = 64

/** Sends to a hundred people each, half of whom read it one by one, until there are so many events. */
export const recordHistory = async (store: Pick<EventStore, 'append'>, events: number): Promise<void> => {
  const users = Array.from({ length: readers }, newUserId)
  const sender = newUserId()
  let recorded = 0
  let appends: Promise<unknown>[] = []
  const append = async (stream: string, added: readonly DomainEvent[]) => {
    const taken = added.slice(0, events - recorded)
    if (taken.length === 0) return
    recorded += taken.length
    appends.push(store.append(stream, 'any', taken.map((event) => ({ id: randomUUID(), ...event })))) // prettier-ignore
    if (appends.length < appendsAtOnce) return
    await Promise.all(appends)
    appends = []
  }
  for (let n = 0; recorded < events; n++) {
    const userIds = Array.from({ length: recipientsEach }, (_, at) => users[(n * 31 + at * 7) % readers] ?? sender)
    const recipients = [...new Set(userIds)]
    const { notificationId, stream, events: sent } = madeUpSend(n, sender, recipients)
    await append(stream, sent)
    // The rest is reads, of whom and how many does not matter.
    for (const userId of recipients.slice(0, recipientsEach / 2)) {
      await append(streamOf(inboxCategory, userId), [{ type: 'NotificationRead', data: { userId, notificationId } }])
    }
  }
  await Promise.all(appends)
}
