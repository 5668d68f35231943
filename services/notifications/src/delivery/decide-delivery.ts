import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { Devices } from '../device/devices.ts'
import type { UnconfirmedOutcomes } from './record-outcomes.ts'
import type { DeferralReason, Deferrals } from './deferrals.ts'
import { type PendingDelivery, readErased } from './pending-deliveries.ts'
import type { Moment, SendTimes } from './send-times.ts'
import { noDevice } from './push-to-users.ts'
import { readDeliveryStatuses, type SeenUpTo } from './delivery-status.ts'

/**
 * A young send is decided by the read models, which are a moment behind at most while this process is watching. Whatever is older
 * met something unusual, and its outcomes may be recorded where no read model has come to yet.
 */
const logDecidesAfterMs = 5 * 60_000
/** For how long an inbox is waited for that does not get what was sent. After that the log's word is enough for a push. */
const maxArrivalWaitMs = 5 * 60_000

/** What an inbox calls the notification; undefined where the inbox does not have it. */
export type Numbered = { readonly seq: number; readonly epoch: string } | undefined

export type Decision = {
  readonly settled: readonly DeliveryOutcome[]
  readonly toPush: ReadonlyMap<UserId, Numbered>
  /** Why some of the recipients are to be looked at again. */
  readonly reasons: ReadonlyMap<DeferralReason, number>
}

type Deps = {
  readonly readModel: Pick<ReadStore, 'epoch' | 'get' | 'getMany' | 'entries'>
  readonly pendingDeliveries: Pick<ReadStore, 'get'>
  readonly devices: Pick<Devices, 'holders'>
  readonly times: SendTimes
  readonly deferrals: Deferrals
  readonly unconfirmed: UnconfirmedOutcomes
  readonly seenUpTo: SeenUpTo
  /** Has `seenUpTo` know what is known of these users anywhere. */
  readonly loadSeen: (userIds: readonly UserId[]) => Promise<void>
  /** Nothing that is older is pushed. */
  readonly maxAgeMs: number
}

const cancelled = (userId: UserId): DeliveryOutcome => ({ userId, state: 'cancelled', reason: 'account deleted' })
const expired = (userId: UserId): DeliveryOutcome => ({ userId, state: 'skipped', reason: 'expired' })

/** Decides what to record of one bucket's recipients of a send, and which of them to push to. */
export const createDecideDelivery = (deps: Deps) => {
  const { readModel, pendingDeliveries, devices, times, deferrals, unconfirmed, seenUpTo, loadSeen, maxAgeMs } = deps

  const isDecidedByLog = (delivery: PendingDelivery, moment: Moment): boolean =>
    !times.hasArrived(delivery.notificationId) || times.ageMs(delivery, moment) > logDecidesAfterMs

  /** Recipients of whom there is more to know than that they have no device. */
  const recheck = async (
    notificationId: NotificationId,
    pending: readonly UserId[],
    active: readonly UserId[],
  ): Promise<ReadonlySet<UserId>> => {
    const holders = await devices.holders(pending)
    const isWorthIt = (userId: UserId) =>
      holders.has(userId) || seenUpTo(userId, readModel.epoch) > 0 || unconfirmed.get(notificationId, userId)
    return new Set([...pending.filter(isWorthIt), ...active])
  }

  /** What becomes of a recipient who has not seen it, whatever their devices; undefined when it can be pushed. */
  const endsWithoutPush = async (delivery: PendingDelivery, moment: Moment) => {
    const erased = await readErased(pendingDeliveries, delivery.bucket)
    const isExpired = times.ageMs(delivery, moment) > maxAgeMs
    return (userId: UserId): DeliveryOutcome | undefined => {
      if (erased.has(userId)) return cancelled(userId)
      return isExpired ? expired(userId) : undefined
    }
  }

  return async (
    delivery: PendingDelivery,
    settledInLog: () => Promise<ReadonlySet<UserId>>,
    moment: Moment,
  ): Promise<Decision> => {
    const { notificationId, bucket } = delivery
    const reasons = new Map<DeferralReason, number>()
    const inLog = isDecidedByLog(delivery, moment) ? await settledInLog() : undefined
    const isOpen = (userId: UserId): boolean => inLog?.has(userId) !== true
    const [pending, active] = [delivery.pending.filter(isOpen), delivery.active.filter(isOpen)]
    if (pending.length + active.length < delivery.pending.length + delivery.active.length)
      reasons.set('not-projected', 0)
    if (pending.length + active.length === 0) return { settled: [], toPush: new Map(), reasons }

    // A report may have been lost on the way; nobody is to be pushed what they have on the screen.
    await loadSeen([...pending, ...active])
    const [endOf, looked] = await Promise.all([
      endsWithoutPush(delivery, moment),
      recheck(notificationId, pending, active),
    ])
    const settled = pending.filter((userId) => !looked.has(userId)).map((userId) => endOf(userId) ?? noDevice(userId))
    const toPush = new Map<UserId, Numbered>()
    const waitedMs = deferrals.waitedMs(delivery, 'not-arrived', moment.steadyMs)
    const statuses = await readDeliveryStatuses(readModel, bucket, notificationId, [...looked], seenUpTo)
    for (const [userId, status] of statuses) {
      const known = unconfirmed.get(notificationId, userId)
      const end = endOf(userId)
      if (status.kind === 'settled') {
        unconfirmed.delete(notificationId, userId)
        reasons.set('not-projected', 0)
      } else if (known) settled.push(known)
      else if (status.kind === 'live') settled.push({ userId, state: 'live' })
      else if (end) settled.push(end)
      else if (status.kind === 'pending') toPush.set(userId, status)
      else if (waitedMs < maxArrivalWaitMs) reasons.set('not-arrived', 0)
      else toPush.set(userId, undefined)
    }
    return { settled, toPush, reasons }
  }
}
export type DecideDelivery = ReturnType<typeof createDecideDelivery>
