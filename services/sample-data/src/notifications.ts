import { deliveryReasons } from '@portal/contracts/notifications/delivery-reasons'
import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { type NotificationId, notificationIdSchema, type UserId } from '@portal/contracts/shared/ids'
import { type CampaignEvent, groupByBucket, packChunks } from '@portal/notifications/campaign/events'
import { campaignDecider } from '@portal/notifications/campaign/decider'
import { inboxCategory, type InboxEvent } from '@portal/notifications/inbox/events'
import { forEachConcurrently } from '@portal/platform/async/semaphore'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { loadState } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { type RecipientGroup, type SampleNotification, sampleNotifications } from './sample-notifications.ts'

/** A send and its delivery statuses are one append, which has room for this many. */
export const maxSampleRecipients = 1_000
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const firstReadAfterMs = 10 * minuteMs
const readsWithinMinutes = 23 * 60
/** Concurrent appends share one write to the disk. */
const concurrency = 64

type SampleRecipients = {
  /** The index decides what each learner gets and reads. Only the first thousand count. */
  readonly learners: readonly UserId[]
  /** Get the notifications to everybody. */
  readonly faculty: readonly UserId[]
  /** The admin who is recorded as the sender. */
  readonly sentBy: UserId
}
export type SeededNotifications = { readonly sent: number; readonly read: number }

/** Whether a learner of this index gets it; the first one gets everything. */
const receives: Readonly<Record<RecipientGroup, (learner: number) => boolean>> = {
  everybody: () => true,
  learners: () => true,
  half: (learner) => learner % 2 === 0,
  third: (learner) => learner % 3 === 0,
}

/** Tenths of their notifications that a learner has read; varies per learner, never all. */
const tenthsRead = (learner: number): number => (learner * 3 + 7) % 10

/** Number of places by which a send may come earlier or later in the order in which a learner reads. */
const maxSkips = 4

/**
 * Keys that a learner has read: mostly the oldest they got, with gaps. So each send has been read by some and not by
 * others, early ones by most learners, and the newest by nobody.
 */
const readByLearner = (learner: number): ReadonlySet<SampleNotification['key']> => {
  const received = sampleNotifications.filter(({ to }) => receives[to](learner))
  const read = Math.floor((received.length * tenthsRead(learner)) / 10)
  const skips = (n: number): number => ((learner * 5 + n * 7) % (2 * maxSkips + 1)) - maxSkips
  const inOrder = received
    .slice(0, -1)
    .map(({ key }, n) => ({ key, place: n + skips(n) }))
    .toSorted((a, b) => a.place - b.place)
  return new Set(inOrder.slice(0, read).map(({ key }) => key))
}

type Learner = { readonly userId: UserId; readonly index: number; readonly read: ReadonlySet<string> }
type Send = {
  readonly sample: SampleNotification
  readonly userIds: readonly UserId[]
  readonly live: ReadonlySet<UserId>
}

const notificationIdOf = ({ key }: SampleNotification): NotificationId =>
  notificationIdSchema.parse(deterministicEventId('sample-notification', key))

const sentAtMs = ({ hoursAgo }: SampleNotification, now: Date): number => now.getTime() - hoursAgo * hourMs

/** Returns a time within a day of the send, different for each learner. */
const readAt = (sample: SampleNotification, learner: number, now: Date): string => {
  const afterMs = firstReadAfterMs + ((learner * 97 + sample.hoursAgo * 41) % readsWithinMinutes) * minuteMs
  return new Date(Math.min(sentAtMs(sample, now) + afterMs, now.getTime())).toISOString()
}

const sendOf = (sample: SampleNotification, learners: readonly Learner[], faculty: readonly UserId[]): Send => {
  const among = learners.filter(({ index }) => receives[sample.to](index))
  const readers = among.filter(({ read }) => read.has(sample.key))
  return {
    sample,
    userIds: [...among.map(({ userId }) => userId), ...(sample.to === 'everybody' ? faculty : [])],
    live: new Set(readers.map(({ userId }) => userId)),
  }
}

const settledEvents = ({ sample, userIds, live }: Send): readonly CampaignEvent[] => {
  const outcomes = userIds.map((userId): DeliveryOutcome => ({
    userId,
    state: live.has(userId) ? 'live' : 'skipped',
    reason: deliveryReasons.sampleData,
  }))
  const notificationId = notificationIdOf(sample)
  return packChunks(groupByBucket(outcomes, ({ userId }) => bucketKey(userId))).map((chunk) => ({
    type: 'RecipientsSettled',
    data: { notificationId, settled: chunk.map(({ bucket, items }) => ({ bucket, outcomes: [...items] })) },
  }))
}

type Ports = {
  readonly eventStore: Pick<EventStore, 'append' | 'read'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
}

/** The readers that an earlier call recorded with the send; undefined if it was not sent. */
const recordedReaders = async (
  eventStore: Ports['eventStore'],
  sample: SampleNotification,
): Promise<ReadonlySet<string> | undefined> => {
  const readers = new Set<string>()
  const { state } = await loadState(eventStore, campaignDecider, notificationIdOf(sample), (event) => {
    if (event.type !== 'RecipientsSettled') return
    for (const { outcomes } of event.data.settled)
      for (const { userId, state: status, reason } of outcomes)
        if (status === 'live' && reason === deliveryReasons.sampleData) readers.add(userId)
  })
  return state.sent && readers
}

const recordSend = async (eventStore: Ports['eventStore'], send: Send, sentBy: UserId, now: Date): Promise<void> => {
  const { sample, userIds } = send
  const notificationId = notificationIdOf(sample)
  const { title, message, type, button } = sample
  const decided = campaignDecider.decide(
    {
      type: 'SendCampaign',
      text: { notificationId, title, message, type, ...(button && { button }) },
      sentBy,
      userIds,
      knownUserIds: new Set(userIds),
    },
    campaignDecider.initial,
  )
  if (!decided.ok) throw new Error(`The sample '${sample.key}' cannot be sent: ${decided.error.reason}`)
  const occurredAt = new Date(sentAtMs(sample, now)).toISOString()
  const events = [...decided.value, ...settledEvents(send)].map((event, index) => ({
    id: deterministicEventId('sample-notification', sample.key, String(index)),
    ...event,
    metadata: { actorId: sentBy, occurredAt },
  }))
  await eventStore.append(streamOf(campaignDecider.category, notificationId), 'no-stream', events)
}

type Sent = { readonly sample: SampleNotification; readonly readers: ReadonlySet<string> }

/** Records what is missing, because an earlier call may have failed in between. Returns the number of recorded reads. */
const recordReads = async (
  eventStore: Ports['eventStore'],
  { userId, index }: Learner,
  sent: readonly Sent[],
  now: Date,
): Promise<number> => {
  const stream = streamOf(inboxCategory, userId)
  const recorded = new Set<string>()
  for await (const { id } of eventStore.read(stream)) recorded.add(id)
  const events = sent
    .filter(({ readers }) => readers.has(userId))
    .map(({ sample }) => {
      const notificationId = notificationIdOf(sample)
      const event: InboxEvent = { type: 'NotificationRead', data: { userId, notificationId } }
      const metadata = { actorId: userId, occurredAt: readAt(sample, index, now) }
      return { id: deterministicEventId('read', userId, notificationId), ...event, metadata }
    })
    .filter(({ id }) => !recorded.has(id))
  if (events.length > 0) await eventStore.append(stream, 'any', events)
  return events.length
}

/**
 * Fills inboxes and the history with notifications of every type, some of them read. The delivery statuses are recorded
 * with the send, so the delivery worker waits for no tab and pushes nothing. A repetition adds only what is missing.
 */
export const seedNotifications = async (
  { eventStore, clockAndIds }: Ports,
  { learners: userIds, faculty, sentBy }: SampleRecipients,
): Promise<SeededNotifications> => {
  const now = clockAndIds.now()
  const learners = userIds
    .slice(0, maxSampleRecipients)
    .map((userId, index): Learner => ({ userId, index, read: readByLearner(index) }))
  const sent: Sent[] = []
  let newlySent = 0
  // In sequence, because the lists show the order of the log.
  for (const sample of sampleNotifications) {
    const send = sendOf(sample, learners, faculty)
    if (send.userIds.length === 0) continue
    const readers = await recordedReaders(eventStore, sample)
    if (!readers) {
      await recordSend(eventStore, send, sentBy, now)
      newlySent += 1
    }
    sent.push({ sample, readers: readers ?? send.live })
  }
  let read = 0
  await forEachConcurrently(concurrency, learners, async (learner) => {
    const recorded = await recordReads(eventStore, learner, sent, now)
    read += recorded
  })
  return { sent: newlySent, read }
}
