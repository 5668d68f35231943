import { randomUUID } from 'node:crypto'
import { notificationIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { campaignDecider } from '@portal/notifications/campaign/decider'
import type { DomainEvent } from '@portal/platform/decider/decider'
import type { EventStore } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'

const recipientsEach = 100
const readers = 500
const appendsAtOnce = 64

const newUserId = () => userIdSchema.parse(randomUUID())

/**
 * Half a log of sends to a hundred learners each, half of reads one by one, until there are so many events. Users are made up:
 * projections of inboxes ask nobody.
 */
export const recordHistory = async (
  store: Pick<EventStore, 'append'>,
  events: number,
  onRecorded?: (events: number) => void,
): Promise<void> => {
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
    onRecorded?.(recorded)
  }
  for (let n = 0; recorded < events; n++) {
    const notificationId = notificationIdSchema.parse(randomUUID())
    const text = { notificationId, title: `Number ${n}`, message: 'The hall is closed.', type: 'General' } as const
    const userIds = Array.from({ length: recipientsEach }, (_, at) => users[(n * 31 + at * 7) % readers] ?? sender)
    const recipients = [...new Set(userIds)]
    const decided = campaignDecider.decide(
      { type: 'SendCampaign', text, sentBy: sender, userIds: recipients, knownUserIds: new Set(recipients) },
      campaignDecider.initial,
    )
    if (!decided.ok) throw new Error(decided.error.message)
    await append(streamOf(campaignDecider.category, notificationId), decided.value)
    // The rest is reads, of whom and how many does not matter.
    for (const userId of recipients.slice(0, recipientsEach / 2)) {
      await append(streamOf('inbox', userId), [{ type: 'NotificationRead', data: { userId, notificationId } }])
    }
  }
  await Promise.all(appends)
  onRecorded?.(recorded)
}
