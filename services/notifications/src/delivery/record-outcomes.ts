import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import type { EventStore, Position } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import { boundedCache } from '@portal/platform/cache/bounded-cache'
import { type CampaignEventOf, groupByBucket, packChunks, recipientsPerEvent } from '../campaign/events.ts'
import { campaignDecider } from '../campaign/decider.ts'
import { type Attempt, attemptKey } from './attempts.ts'
import type { PendingDelivery } from './pending-deliveries.ts'
import type { Moment } from './send-times.ts'

/** The position of the last outcome in each bucket. */
export type OutcomePositions = ReadonlyMap<string, Position>

/**
 * Appends delivery outcomes to the campaign's stream. Returns their positions.
 *
 * This bypasses the decider: deciding would load 10,000 recipients and all earlier outcomes for every few new ones,
 * and the worker and tab reports would conflict. Outcomes are facts instead, appended with expected revision 'any'.
 * Readers keep the first outcome of each recipient's attempt (applyOutcomes, applySettled). Event ids derive from the content,
 * so a retry records nothing twice.
 */
export const recordOutcomes = async (
  eventStore: Pick<EventStore, 'append'>,
  notificationId: NotificationId,
  outcomes: readonly DeliveryOutcome[],
): Promise<OutcomePositions> => {
  const chunks = packChunks(groupByBucket(outcomes, ({ userId }) => bucketKey(userId)))
  const stream = streamOf(campaignDecider.category, notificationId)
  // Separate appends: they are independent, and the store batches concurrent writes.
  const appended = await Promise.all(
    chunks.map(async (chunk) => {
      const settled = chunk.map(({ bucket, items }) => ({ bucket, outcomes: [...items] }))
      const event: CampaignEventOf<'RecipientsSettled'> = {
        type: 'RecipientsSettled',
        data: { notificationId, settled },
      }
      const id = deterministicEventId('settled', notificationId, JSON.stringify(settled))
      const answer = await eventStore.append(stream, 'any', [{ id, ...event }])
      if (answer.kind === 'conflict') throw new Error("the event store reported a conflict for expected revision 'any'")
      return chunk.map(({ bucket }) => [bucket, answer.position] as const)
    }),
  )
  return new Map(appended.flat().toSorted(([, a], [, b]) => (a < b ? -1 : 1)))
}

type Postponable = Pick<PendingDelivery, 'notificationId' | 'attempt' | 'waitedUntil'>

/** Some 400 KB with the most recipients. Users can have to wait until many different times. */
const postponedPerAppend = 20

/**
 * Records that the pushes to these recipients wait. Times are in milliseconds since 1970. The event ids depend on what they waited for
 * before: a retry records nothing twice, and those who wait anew until the same time are recorded. All ids of an append depend on the
 * whole append, because stores reject one of which they know a part.
 */
export const recordPostponed = async (
  eventStore: Pick<EventStore, 'append'>,
  { notificationId, attempt, waitedUntil = '' }: Postponable,
  untilMsByUser: ReadonlyMap<UserId, number>,
): Promise<OutcomePositions> => {
  const byTime = Map.groupBy(untilMsByUser, ([, untilMs]) => untilMs)
  const events = [...byTime].flatMap(([untilMs, users]) =>
    packChunks(
      groupByBucket(
        users.map(([userId]) => userId),
        bucketKey,
      ),
    ).map((chunk): CampaignEventOf<'RecipientsPostponed'> => ({
      type: 'RecipientsPostponed',
      data: {
        notificationId,
        until: new Date(untilMs).toISOString(),
        ...(attempt > 1 && { attempt }),
        recipients: chunk.map(({ bucket, items }) => ({ bucket, userIds: [...items] })),
      },
    })),
  )
  const stream = streamOf(campaignDecider.category, notificationId)
  const positions = new Map<string, Position>()
  for (let from = 0; from < events.length; from += postponedPerAppend) {
    const some = events.slice(from, from + postponedPerAppend)
    const all = JSON.stringify(some)
    const identified = some.map((event, n) => ({
      id: deterministicEventId('postponed', notificationId, waitedUntil, all, String(n)),
      ...event,
    }))
    const answer = await eventStore.append(stream, 'any', identified)
    if (answer.kind === 'conflict') throw new Error("the event store reported a conflict for expected revision 'any'")
    for (const { data } of some) for (const { bucket } of data.recipients) positions.set(bucket, answer.position)
  }
  return positions
}

/**
 * Gathers outcomes of deliveries that are settled concurrently. Records them in chunks, so that a crash repeats at most
 * one chunk and a large campaign needs few writes.
 */
export const createOutcomeBatch = (recordChunk: (outcomes: readonly DeliveryOutcome[]) => Promise<void>) => {
  let gathered: DeliveryOutcome[] = []
  const record = async (): Promise<void> => {
    const outcomes = gathered
    gathered = []
    if (outcomes.length > 0) await recordChunk(outcomes)
  }
  return {
    add: async (outcomes: readonly DeliveryOutcome[]): Promise<void> => {
      gathered.push(...outcomes)
      if (gathered.length >= recipientsPerEvent) await record()
    },
    record,
  }
}

/** The last attempt with an outcome, for each recipient who has one. */
export type SettledAttempts = ReadonlyMap<UserId, number>

/** Reads from the log who has an outcome, because a read model may be behind or in a rebuild. */
export const readSettled = async (
  eventStore: Pick<EventStore, 'read'>,
  notificationId: NotificationId,
): Promise<SettledAttempts> => {
  const settled = new Map<UserId, number>()
  for await (const recorded of eventStore.read(streamOf(campaignDecider.category, notificationId))) {
    const event = campaignDecider.parse(recorded)
    if (event.type !== 'RecipientsSettled') continue
    for (const { userId, attempt = 1 } of event.data.settled.flatMap(({ outcomes }) => outcomes))
      settled.set(userId, Math.max(attempt, settled.get(userId) ?? 0))
  }
  return settled
}

/** How long after a successful write health checks are skipped. */
const recentMs = 1_000

/**
 * Records outcomes and checks that the log is writable. A crash repeats every push whose outcome is not recorded,
 * so nothing is pushed while writes fail, for example on a full disk.
 */
export const createOutcomeRecorder = (eventStore: Pick<EventStore, 'append' | 'check'>, now: () => Moment) => {
  let recordedAtMs = Number.NEGATIVE_INFINITY
  const noteResult = async (recording: Promise<OutcomePositions>): Promise<OutcomePositions> => {
    try {
      const positions = await recording
      recordedAtMs = now().steadyMs
      return positions
    } catch (error) {
      recordedAtMs = Number.NEGATIVE_INFINITY
      throw error
    }
  }
  return {
    record: (notificationId: NotificationId, outcomes: readonly DeliveryOutcome[]): Promise<OutcomePositions> =>
      noteResult(recordOutcomes(eventStore, notificationId, outcomes)),
    postpone: (delivery: Postponable, untilMsByUser: ReadonlyMap<UserId, number>): Promise<OutcomePositions> =>
      noteResult(recordPostponed(eventStore, delivery, untilMsByUser)),
    canRecord: async (): Promise<boolean> => {
      if (now().steadyMs - recordedAtMs < recentMs) return true
      try {
        await eventStore.check()
        return true
      } catch {
        // Health reports the cause; the delivery is retried.
        return false
      }
    },
  }
}
export type OutcomeRecorder = ReturnType<typeof createOutcomeRecorder>

/** The user and the attempt of an outcome. */
type OfAttempt = Pick<DeliveryOutcome, 'userId' | 'attempt'>

/** Far above the number of deliveries in progress. */
const maxUnconfirmed = 100_000

/**
 * Outcomes of completed pushes that are not confirmed as recorded. If a delivery comes up again, its outcome is
 * recorded without another push. Entries are removed once they are projected.
 */
export const createUnconfirmedOutcomes = () => {
  const outcomes = boundedCache<string, DeliveryOutcome>(maxUnconfirmed)
  const keyOf = (attempt: Attempt, userId: UserId): string => `${attemptKey(attempt)} ${userId}`
  const keyOfOutcome = (notificationId: NotificationId, { userId, attempt = 1 }: OfAttempt): string =>
    keyOf({ notificationId, attempt }, userId)
  return {
    get: (attempt: Attempt, userId: UserId) => outcomes.get(keyOf(attempt, userId)),
    set: (notificationId: NotificationId, outcome: DeliveryOutcome): void =>
      void outcomes.set(keyOfOutcome(notificationId, outcome), outcome),
    delete: (notificationId: NotificationId, outcome: OfAttempt): void =>
      void outcomes.delete(keyOfOutcome(notificationId, outcome)),
  }
}
export type UnconfirmedOutcomes = ReturnType<typeof createUnconfirmedOutcomes>
