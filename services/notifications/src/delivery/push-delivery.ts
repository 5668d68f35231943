import { deliveryReasons } from '@portal/contracts/notifications/delivery-reasons'
import type { DeliveryOutcome, NotificationText } from '@portal/contracts/notifications/events'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { resultWithin } from '@portal/platform/async/timeout'
import type { Position } from '@portal/platform/event-store/port'
import type { Logger } from 'pino'
import type { ContentCache } from '../inbox/content-cache.ts'
import { buildForEach } from '../placeholders/fill-texts.ts'
import type { RecipientValuesReader } from '../placeholders/recipient-values.ts'
import { outcomeOf } from './attempts.ts'
import type { Numbered } from './decide-delivery.ts'
import type { DeferralReason, Deferrals, Reasons } from './deferrals.ts'
import type { PendingDelivery } from './pending-deliveries.ts'
import type { DeliverySchedule } from './delivery-schedule.ts'
import { messageOf } from '../device/push-message.ts'
import { failed, type Pushed, type PushToUsers } from './push-to-users.ts'
import type { SeenUpTo } from './delivery-status.ts'
import type { OutcomeRecorder, UnconfirmedOutcomes } from './record-outcomes.ts'
import type { Moment, SendTimes } from './send-times.ts'
import { summaryOf } from './summary.ts'

/** Upper bound for a pause that the provider requests. */
const maxRequestedMs = 30 * 60_000

type PushDeliveryDeps = {
  readonly contentCache: ContentCache
  readonly values: Pick<RecipientValuesReader, 'of'>
  readonly pushToUsers: PushToUsers
  readonly seenUpTo: SeenUpTo
  readonly times: SendTimes
  readonly deferrals: Deferrals
  readonly unconfirmed: UnconfirmedOutcomes
  readonly schedule: Pick<DeliverySchedule, 'isStopped'>
  /** How long to retry a push while the provider is unavailable. */
  readonly retryForMs: number
  readonly now: () => Moment
  readonly signal: AbortSignal
}

type PushedDelivery = {
  readonly settled: readonly DeliveryOutcome[]
  readonly reasons: ReadonlyMap<DeferralReason, number>
}

/**
 * Pushes to the recipients of one delivery. Recipients whose push the provider did not accept stay pending until
 * the time limit, and those who were not reached before an admin stopped the delivery stay pending, too.
 */
export const createPushDelivery = (deps: PushDeliveryDeps) => {
  const { contentCache, values, pushToUsers, seenUpTo, times, deferrals, unconfirmed, schedule } = deps
  const { retryForMs, now, signal } = deps

  /** The limit counts from the campaign, or from the first attempt if that came too late for a second one. */
  const isLastAttempt = (delivery: PendingDelivery): boolean => {
    const moment = now()
    const ageMs = times.ageMs(delivery, moment)
    const ageAtFirstMs = ageMs - deferrals.waitedMs(delivery, 'not-accepted', moment.steadyMs)
    return ageMs > (ageAtFirstMs > retryForMs ? ageAtFirstMs + retryForMs : retryForMs)
  }

  const loadText = async (notificationId: NotificationId): Promise<NotificationText> => {
    const [text] = await contentCache.many([notificationId])
    if (!text) throw new Error(`the text of ${notificationId} is missing`)
    // The retry finds that the recall has stopped the delivery.
    if (text.isWithdrawn) throw new Error(`the text of ${notificationId} was erased by a recall`)
    return text
  }

  /** Those whose push was not accepted stay pending until the time limit. */
  const endOf = (delivery: PendingDelivery, pushed: readonly Pushed[]): PushedDelivery => {
    const settled: DeliveryOutcome[] = []
    const reasons = new Map<DeferralReason, number>()
    for (const one of pushed) {
      if (one.state !== 'not-accepted') {
        const outcome = outcomeOf(delivery, one)
        unconfirmed.set(delivery.notificationId, outcome)
        settled.push(outcome)
      } else if (isLastAttempt(delivery)) settled.push(outcomeOf(delivery, failed(one.userId, one.reason)))
      else {
        const requestedMs = Math.min(one.afterMs, maxRequestedMs)
        reasons.set('not-accepted', Math.max(requestedMs, reasons.get('not-accepted') ?? 0))
      }
    }
    return { settled, reasons }
  }

  const hasNotSeen = (userId: UserId, numbered: Numbered): boolean =>
    numbered === undefined || seenUpTo(userId, numbered.epoch) < numbered.seq

  return {
    isLastAttempt,
    /** Rejects if the text is missing or withdrawn. */
    loadText,
    push: async (delivery: PendingDelivery, recipients: ReadonlyMap<UserId, Numbered>): Promise<PushedDelivery> => {
      const text = await loadText(delivery.notificationId)
      const userIds = [...recipients.keys()]
      const messageFor = await buildForEach(values, { texts: [text], userIds }, (fill) => messageOf(fill(text)))
      const isWanted = (userId: UserId): boolean => hasNotSeen(userId, recipients.get(userId))
      const isStopped = () => schedule.isStopped(delivery)
      return endOf(delivery, await pushToUsers(messageFor, userIds, { isWanted, isStopped, signal }))
    },
    /** Pushes several deliveries to the same users as one message. Returns what became of each delivery. */
    pushSummary: async (
      summary: { readonly id: string; readonly texts: readonly NotificationText[] },
      deliveries: readonly Readonly<{ delivery: PendingDelivery; recipients: ReadonlyMap<UserId, Numbered> }>[],
      userIds: readonly UserId[],
    ): Promise<readonly PushedDelivery[]> => {
      const isWanted = (userId: UserId): boolean =>
        deliveries.some(({ recipients }) => hasNotSeen(userId, recipients.get(userId)))
      const isStopped = () => deliveries.every(({ delivery }) => schedule.isStopped(delivery))
      const { id, texts } = summary
      const messageFor = await buildForEach(values, { texts, userIds }, (fill) => summaryOf(id, texts.map(fill)))
      const pushed = await pushToUsers(messageFor, userIds, { isWanted, isStopped, signal })
      const inSummary = pushed.map((one) =>
        one.state === 'pushed' ? { ...one, reason: deliveryReasons.summary, summaryId: id } : one,
      )
      return deliveries.map(({ delivery }) => endOf(delivery, inSummary))
    },
  }
}
export type PushDelivery = ReturnType<typeof createPushDelivery>

/** A slower push continues in the background. */
const slowPushMs = 1_000
/** Number of background pushes at which rounds wait again. */
const maxSlowPushes = 256

type SlowPushesDeps = {
  readonly pushDelivery: Pick<PushDelivery, 'push'>
  readonly recorder: Pick<OutcomeRecorder, 'record'>
  isProjected(bucket: string, position: Position): Promise<boolean>
  readonly unconfirmed: Pick<UnconfirmedOutcomes, 'delete'>
  readonly schedule: Pick<DeliverySchedule, 'done'>
  readonly now: () => Moment
  readonly logger: Logger
  readonly signal: AbortSignal
}

/** Pushes without delaying a round. */
export const createSlowPushes = (deps: SlowPushesDeps) => {
  const { pushDelivery, recorder, isProjected, unconfirmed, schedule, now, logger, signal } = deps
  const slowPushes = new Set<Promise<void>>()

  /** Records the outcomes of a background push. */
  const finishLater = async (delivery: PendingDelivery, before: Reasons, pushing: Promise<PushedDelivery>) => {
    const { notificationId, bucket } = delivery
    const reasons = new Map(before)
    try {
      const pushed = await pushing
      for (const [reason, atLeastMs] of pushed.reasons) reasons.set(reason, atLeastMs)
      if (pushed.settled.length === 0) return
      const position = (await recorder.record(notificationId, pushed.settled)).get(bucket)
      if (position === undefined || !(await isProjected(bucket, position))) reasons.set('not-projected', 0)
      else for (const outcome of pushed.settled) unconfirmed.delete(notificationId, outcome)
    } catch (error) {
      reasons.set('failed', 0)
      if (!signal.aborted) logger.error({ err: error, notificationId }, 'delivery could not be settled, retrying')
    } finally {
      schedule.done(delivery, reasons, now().steadyMs)
    }
  }

  return {
    /**
     * Returns 'continues' if the push takes longer. It then records its outcomes and finishes the delivery in the
     * background.
     */
    push: async (
      delivery: PendingDelivery,
      toPush: Parameters<PushDelivery['push']>[1],
      reasons: Reasons,
    ): Promise<PushedDelivery | 'continues'> => {
      const pushing = pushDelivery.push(delivery, toPush)
      const pushed = slowPushes.size < maxSlowPushes ? await resultWithin(pushing, slowPushMs) : await pushing
      if (pushed !== undefined) return pushed
      const finishing = finishLater(delivery, reasons, pushing)
      slowPushes.add(finishing)
      void finishing.finally(() => slowPushes.delete(finishing))
      return 'continues'
    },
    /** Resolves when all background pushes have ended. */
    stop: async (): Promise<void> => void (await Promise.all(slowPushes)),
  }
}
