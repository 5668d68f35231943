import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import type { UserId } from '@portal/contracts/shared/ids'
import { resultWithin } from '@portal/platform/async/timeout'
import type { Position } from '@portal/platform/event-store/port'
import type { Logger } from 'pino'
import type { ContentCache } from '../inbox/content-cache.ts'
import { outcomeOf } from './attempts.ts'
import type { Numbered } from './decide-delivery.ts'
import type { DeferralReason, Deferrals, Reasons } from './deferrals.ts'
import type { PendingDelivery } from './pending-deliveries.ts'
import type { DeliverySchedule } from './delivery-schedule.ts'
import { failed, type PushToUsers } from './push-to-users.ts'
import type { SeenUpTo } from './delivery-status.ts'
import type { OutcomeRecorder, UnconfirmedOutcomes } from './record-outcomes.ts'
import type { Moment, SendTimes } from './send-times.ts'

/** Upper bound for a pause that the provider requests. */
const maxRequestedMs = 30 * 60_000

type PushDeliveryDeps = {
  readonly contentCache: ContentCache
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
  const { contentCache, pushToUsers, seenUpTo, times, deferrals, unconfirmed, schedule } = deps
  const { retryForMs, now, signal } = deps

  /** The limit counts from the campaign, or from the first attempt if that came too late for a second one. */
  const isLastAttempt = (delivery: PendingDelivery): boolean => {
    const moment = now()
    const ageMs = times.ageMs(delivery, moment)
    const ageAtFirstMs = ageMs - deferrals.waitedMs(delivery, 'not-accepted', moment.steadyMs)
    return ageMs > (ageAtFirstMs > retryForMs ? ageAtFirstMs + retryForMs : retryForMs)
  }

  return {
    isLastAttempt,
    push: async (delivery: PendingDelivery, recipients: ReadonlyMap<UserId, Numbered>): Promise<PushedDelivery> => {
      const { notificationId } = delivery
      const [text] = await contentCache.many([notificationId])
      if (!text) throw new Error(`the text of ${notificationId} is missing`)
      // The retry finds that the recall has stopped the delivery.
      if (text.isWithdrawn) throw new Error(`the text of ${notificationId} was erased by a recall`)
      const isWanted = (userId: UserId): boolean => {
        const numbered = recipients.get(userId)
        return numbered === undefined || seenUpTo(userId, numbered.epoch) < numbered.seq
      }
      const settled: DeliveryOutcome[] = []
      const reasons = new Map<DeferralReason, number>()
      const isStopped = () => schedule.isStopped(delivery)
      for (const pushed of await pushToUsers(text, [...recipients.keys()], { isWanted, isStopped, signal })) {
        if (pushed.state !== 'not-accepted') {
          const outcome = outcomeOf(delivery, pushed)
          unconfirmed.set(notificationId, outcome)
          settled.push(outcome)
        } else if (isLastAttempt(delivery)) settled.push(outcomeOf(delivery, failed(pushed.userId, pushed.reason)))
        else {
          const requestedMs = Math.min(pushed.afterMs, maxRequestedMs)
          reasons.set('not-accepted', Math.max(requestedMs, reasons.get('not-accepted') ?? 0))
        }
      }
      return { settled, reasons }
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
