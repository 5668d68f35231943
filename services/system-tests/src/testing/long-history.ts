import { randomUUID } from 'node:crypto'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { type NotificationId, notificationIdSchema, type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import { campaignDecider } from '@portal/notifications/campaign/decider'
import type { CampaignEvent } from '@portal/notifications/campaign/events'
import { inboxCategory } from '@portal/notifications/inbox/events'
import type { DomainEvent } from '@portal/platform/decider/decider'
import type { EventStore } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'

/** Records histories of users that need not exist, because inbox projections do not look them up. */

type Log = Pick<EventStore, 'append'>

const appendsAtOnce = 64

const newUserId = (): UserId => userIdSchema.parse(randomUUID())
const newUserIds = (count: number): readonly UserId[] => Array.from({ length: count }, newUserId)

const sendOf = (n: number, sentBy: UserId, userIds: readonly UserId[]) => {
  const notificationId = notificationIdSchema.parse(randomUUID())
  const text = { notificationId, title: `Number ${n}`, message: 'The hall is closed.', type: 'General' } as const
  const decided = campaignDecider.decide(
    { type: 'SendCampaign', text, sentBy, userIds, knownUserIds: new Set(userIds) },
    campaignDecider.initial,
  )
  if (!decided.ok) throw new Error(decided.error.reason)
  return { notificationId, stream: streamOf(campaignDecider.category, notificationId), events: decided.value }
}

/** The event after all recipients are settled without an open tab or a device. */
const outcomesOf = (notificationId: NotificationId, userIds: readonly UserId[]): CampaignEvent => ({
  type: 'RecipientsSettled',
  data: {
    notificationId,
    settled: [...Map.groupBy(userIds, bucketKey)].map(([bucket, users]) => ({
      bucket,
      outcomes: users.map((userId) => ({ userId, state: 'skipped', reason: 'no device' })),
    })),
  },
})

const readOf = (userId: UserId, notificationId: NotificationId): DomainEvent => ({
  type: 'NotificationRead',
  data: { userId, notificationId },
})

/** Appends concurrently up to a limit. */
const createAppends = (store: Log) => {
  let appends: Promise<unknown>[] = []
  const settle = async () => {
    await Promise.all(appends)
    appends = []
  }
  return {
    append: async (stream: string, events: readonly DomainEvent[]): Promise<void> => {
      appends.push(store.append(stream, 'any', events.map((event) => ({ id: randomUUID(), ...event })))) // prettier-ignore
      if (appends.length >= appendsAtOnce) await settle()
    },
    settle,
  }
}

/**
 * Records many events in few appends: `sends` settled sends to the same 200 users, who read each of them. Returns the
 * number of events.
 */
export const recordLongHistory = async (store: Log, sends: number): Promise<number> => {
  const readers = newUserIds(200)
  const sentBy = newUserId()
  const { append, settle } = createAppends(store)
  const notificationIds: NotificationId[] = []
  let recorded = 0
  const record = (stream: string, events: readonly DomainEvent[]) => {
    recorded += events.length
    return append(stream, events)
  }
  for (let n = 0; n < sends; n++) {
    const { notificationId, stream, events } = sendOf(n, sentBy, readers)
    await record(stream, [...events, outcomesOf(notificationId, readers)])
    notificationIds.push(notificationId)
  }
  for (const userId of readers) {
    await record(streamOf(inboxCategory, userId), notificationIds.map((id) => readOf(userId, id))) // prettier-ignore
  }
  await settle()
  return recorded
}

const recipientsEach = 100

/** Records exactly `events` events: sends to a hundred users each, half of whom read them. */
export const recordHistory = async (store: Log, events: number): Promise<void> => {
  const users = newUserIds(500)
  const sentBy = newUserId()
  const { append, settle } = createAppends(store)
  let recorded = 0
  const record = async (stream: string, added: readonly DomainEvent[]) => {
    const taken = added.slice(0, events - recorded)
    if (taken.length === 0) return
    recorded += taken.length
    await append(stream, taken)
  }
  for (let n = 0; recorded < events; n++) {
    const chosen = Array.from({ length: recipientsEach }, (_, at) => users[(n * 31 + at * 7) % users.length] ?? sentBy)
    const recipients = [...new Set(chosen)]
    const send = sendOf(n, sentBy, recipients)
    await record(send.stream, send.events)
    // The remaining events are reads; their readers do not matter.
    for (const userId of recipients.slice(0, recipientsEach / 2)) {
      await record(streamOf(inboxCategory, userId), [readOf(userId, send.notificationId)])
    }
  }
  await settle()
}
