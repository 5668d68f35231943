import { deliveryReasons } from '@portal/contracts/notifications/delivery-reasons'
import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import type { UserId } from '@portal/contracts/shared/ids'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { Devices } from '../device/devices.ts'
import { outcomeOf } from './attempts.ts'
import type { SettledAttempts, UnconfirmedOutcomes } from './record-outcomes.ts'
import type { DeferralReason, Deferrals } from './deferrals.ts'
import { type PendingDelivery, readDeactivated, readErased } from './pending-deliveries.ts'
import type { Moment, SendTimes } from './send-times.ts'
import { noDevice } from './push-to-users.ts'
import { readDeliveryStatuses, type SeenUpTo } from './delivery-status.ts'

/**
 * Recent campaigns are decided by the read models, which lag only briefly while this process is watching. Older
 * ones met a problem, and the read models may lack their recorded outcomes, so the log decides.
 */
const logDecidesAfterMs = 5 * 60_000
/** How long to wait for the notification to arrive in an inbox. After that, push on the evidence of the log. */
const maxArrivalWaitMs = 5 * 60_000

/** The notification's sequence number in the inbox; undefined if it has not arrived there. */
export type Numbered = { readonly seq: number; readonly epoch: string } | undefined

export type Decision = {
  readonly settled: readonly DeliveryOutcome[]
  readonly toPush: ReadonlyMap<UserId, Numbered>
  /** Why some recipients must be retried. */
  readonly reasons: ReadonlyMap<DeferralReason, number>
}

type DecideDeliveryDeps = {
  readonly readModel: Pick<ReadStore, 'epoch' | 'get' | 'getMany' | 'entries'>
  readonly pendingDeliveries: Pick<ReadStore, 'get'>
  readonly devices: Pick<Devices, 'holders'>
  readonly times: Pick<SendTimes, 'hasArrived' | 'ageMs'>
  readonly deferrals: Pick<Deferrals, 'waitedMs'>
  readonly unconfirmed: UnconfirmedOutcomes
  readonly seenUpTo: SeenUpTo
  /** Merges all reports about these users, from every gateway, into `seenUpTo`. */
  readonly loadSeen: (userIds: readonly UserId[]) => Promise<void>
  /** PUSH_MAX_AGE: older campaigns are skipped as 'expired'. */
  readonly maxAgeMs: number
}

const cancelled = (userId: UserId, reason: string): DeliveryOutcome => ({ userId, state: 'cancelled', reason })
const expired = (userId: UserId): DeliveryOutcome => ({ userId, state: 'skipped', reason: deliveryReasons.expired })

/** Decides, for one bucket's recipients of a campaign, which outcomes to record and whom to push to. */
export const createDecideDelivery = (deps: DecideDeliveryDeps) => {
  const { readModel, pendingDeliveries, devices, times, deferrals, unconfirmed, seenUpTo, loadSeen, maxAgeMs } = deps

  const isDecidedByLog = (delivery: PendingDelivery, moment: Moment): boolean =>
    !times.hasArrived(delivery) || times.ageMs(delivery, moment) > logDecidesAfterMs

  /**
   * Selects the recipients whose status must be read. The others have no device, no report, no unconfirmed outcome,
   * and no read since the send. Before a resend they may have read it.
   */
  const selectForStatus = async (
    delivery: PendingDelivery,
    pending: readonly UserId[],
    active: readonly UserId[],
  ): Promise<ReadonlySet<UserId>> => {
    if (delivery.attempt > 1) return new Set([...pending, ...active])
    const holders = await devices.holders(pending)
    const needsStatus = (userId: UserId) =>
      holders.has(userId) || seenUpTo(userId, readModel.epoch) > 0 || unconfirmed.get(delivery, userId)
    return new Set([...pending.filter(needsStatus), ...active])
  }

  /** The outcome of an unseen delivery that must not be pushed; undefined if it can be pushed. */
  const outcomesWithoutPush = async (delivery: PendingDelivery, moment: Moment) => {
    const { bucket, stopped, waitedUntil } = delivery
    const [erased, deactivated] = await Promise.all([
      readErased(pendingDeliveries, bucket),
      readDeactivated(pendingDeliveries, bucket),
    ])
    // The earlier of the two clocks, so that a clock set forward expires nothing.
    const ageMs =
      waitedUntil === undefined
        ? times.ageMs(delivery, moment)
        : Math.min(moment.wallMs, moment.steadyMs) - Date.parse(waitedUntil)
    const isExpired = ageMs > maxAgeMs
    return (userId: UserId): DeliveryOutcome | undefined => {
      if (erased.has(userId)) return cancelled(userId, deliveryReasons.accountDeleted)
      if (deactivated.has(userId)) return cancelled(userId, deliveryReasons.accountDeactivated)
      if (stopped !== undefined) return cancelled(userId, stopped)
      return isExpired ? expired(userId) : undefined
    }
  }

  return async (
    delivery: PendingDelivery,
    settledInLog: () => Promise<SettledAttempts>,
    moment: Moment,
  ): Promise<Decision> => {
    const { notificationId } = delivery
    const reasons = new Map<DeferralReason, number>()
    const inLog = isDecidedByLog(delivery, moment) ? await settledInLog() : undefined
    const isOpen = (userId: UserId): boolean => (inLog?.get(userId) ?? 0) < delivery.attempt
    // A stop ends the waiting, too.
    const listed = delivery.stopped === undefined ? delivery.pending : [...delivery.pending, ...delivery.postponed]
    const [pending, active] = [listed.filter(isOpen), delivery.active.filter(isOpen)]
    if (pending.length + active.length < listed.length + delivery.active.length) reasons.set('not-projected', 0)
    // Stryker disable next-line ConditionalExpression: without recipients the rest only costs reads
    if (pending.length + active.length === 0) return { settled: [], toPush: new Map(), reasons }

    // A report may have been lost: do not push what the user has on the screen.
    await loadSeen([...pending, ...active])
    const [outcomeWithoutPush, toRead] = await Promise.all([
      outcomesWithoutPush(delivery, moment),
      selectForStatus(delivery, pending, active),
    ])
    const settled = pending
      .filter((userId) => !toRead.has(userId))
      .map((userId) => outcomeWithoutPush(userId) ?? noDevice(userId))
    const toPush = new Map<UserId, Numbered>()
    const waitedMs = deferrals.waitedMs(delivery, 'not-arrived', moment.steadyMs)
    const statuses = await readDeliveryStatuses(readModel, delivery, [...toRead], seenUpTo)
    for (const [userId, status] of statuses) {
      const known = unconfirmed.get(delivery, userId)
      const ended = outcomeWithoutPush(userId)
      if (status.kind === 'settled') {
        if (known) unconfirmed.delete(notificationId, known)
        reasons.set('not-projected', 0)
      } else if (known) settled.push(known)
      else if (status.kind === 'live') settled.push({ userId, state: 'live' })
      else if (ended) settled.push(ended)
      else if (status.kind === 'pending') toPush.set(userId, status)
      else if (waitedMs < maxArrivalWaitMs) reasons.set('not-arrived', 0)
      else toPush.set(userId, undefined)
    }
    return { settled: settled.map((outcome) => outcomeOf(delivery, outcome)), toPush, reasons }
  }
}
export type DecideDelivery = ReturnType<typeof createDecideDelivery>
