import { boundedCache } from '@portal/platform/cache/bounded-cache'
import type { RetryBackoff } from '../timings.ts'
import { attemptKey } from './attempts.ts'
import type { PendingDelivery } from './pending-deliveries.ts'

/** Why a delivery is retried later. */
export type DeferralReason =
  /** The notification has not arrived in the recipients' inboxes. */
  | 'not-arrived'
  /** The push provider did not accept it. */
  | 'not-accepted'
  /** Outcomes are recorded but not yet projected. */
  | 'not-projected'
  /** An unexpected error. */
  | 'failed'

/** Reasons with their minimum wait in milliseconds. */
export type Reasons = ReadonlyMap<DeferralReason, number>

type Wait = { readonly sinceMs: number; readonly pauseMs: number }
type Deferral = { readonly untilMs: number; readonly waits: ReadonlyMap<DeferralReason, Wait> }

/**
 * Maximum number of tracked deliveries. An evicted one is retried early and starts over; PUSH_MAX_AGE still ends
 * it.
 */
const maxDeferrals = 100_000

/** What identifies a delivery. */
export type DeliveryId = Pick<PendingDelivery, 'notificationId' | 'attempt' | 'bucket'>

export const deliveryKey = (delivery: DeliveryId): string => `${attemptKey(delivery)} ${delivery.bucket}`

/** Tracks deliveries that cannot be settled yet, each with its own backoff, so that none delays others. */
export const createDeferrals = (backoffs: Readonly<Record<DeferralReason, RetryBackoff>>) => {
  const deferrals = boundedCache<string, Deferral>(maxDeferrals)

  return {
    /** Returns the time of the next attempt, on the monotonic clock. Reasons that are no longer given end. */
    defer: (delivery: PendingDelivery, reasons: Reasons, nowMs: number): number => {
      const key = deliveryKey(delivery)
      const before = deferrals.get(key)?.waits
      const waits = new Map<DeferralReason, Wait>()
      let untilMs = Number.POSITIVE_INFINITY
      for (const [reason, atLeastMs] of reasons) {
        const { firstMs, maxMs } = backoffs[reason]
        const known = before?.get(reason)
        const pauseMs = known ? Math.min(2 * known.pauseMs, maxMs) : firstMs
        waits.set(reason, { sinceMs: known?.sinceMs ?? nowMs, pauseMs })
        untilMs = Math.min(untilMs, nowMs + Math.max(pauseMs, atLeastMs))
      }
      deferrals.set(key, { untilMs, waits })
      return untilMs
    },

    /** Delays the next attempt until `untilMs` without counting an attempt. */
    postpone: (delivery: PendingDelivery, untilMs: number): void => {
      const known = deferrals.get(deliveryKey(delivery))
      if (known) deferrals.set(deliveryKey(delivery), { ...known, untilMs })
    },

    clear: (delivery: DeliveryId): void => void deferrals.delete(deliveryKey(delivery)),

    /** The time of the next attempt; 0 if nothing is deferred. */
    untilMs: (delivery: PendingDelivery): number => deferrals.get(deliveryKey(delivery))?.untilMs ?? 0,

    /** How long the delivery has waited for this reason without interruption. */
    waitedMs: (delivery: PendingDelivery, reason: DeferralReason, nowMs: number): number => {
      const wait = deferrals.get(deliveryKey(delivery))?.waits.get(reason)
      return wait === undefined ? 0 : nowMs - wait.sinceMs
    },

    isOnly: (delivery: PendingDelivery, reason: DeferralReason): boolean => {
      const waits = deferrals.get(deliveryKey(delivery))?.waits
      return waits?.size === 1 && waits.has(reason)
    },
  }
}
export type Deferrals = ReturnType<typeof createDeferrals>
