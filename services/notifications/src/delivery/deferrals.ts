import { LRUCache } from 'lru-cache'
import type { PendingDelivery } from './pending-deliveries.ts'

/** Why a delivery is looked at again later. */
export type DeferralReason =
  /** Recipients' inboxes do not have it yet. */
  | 'not-arrived'
  /** The push provider did not take it over. */
  | 'not-accepted'
  /** Outcomes are recorded of which the ledger has not heard. */
  | 'not-projected'
  /** Something failed. */
  | 'failed'

/** Reasons, and how long to wait at least. */
export type Reasons = ReadonlyMap<DeferralReason, number>

/** The first pause, which doubles each time, and the longest. */
export type RetryBackoff = { readonly firstMs: number; readonly maxMs: number }

type Wait = { readonly sinceMs: number; readonly pauseMs: number }
type Deferral = { readonly untilMs: number; readonly waits: ReadonlyMap<DeferralReason, Wait> }

/**
 * Deliveries whose wait is remembered. One that is forgotten is looked at sooner than need be, and counted from its beginning
 * again; PUSH_MAX_AGE ends it all the same.
 */
const maxDeferrals = 100_000

export const deliveryKey = ({ notificationId, bucket }: Pick<PendingDelivery, 'notificationId' | 'bucket'>): string =>
  `${notificationId} ${bucket}`

/** Deliveries that cannot be settled yet, each with its own growing pauses, so that none of them holds up others. */
export const createDeferrals = (backoffs: Readonly<Record<DeferralReason, RetryBackoff>>) => {
  const deferrals = new LRUCache<string, Deferral>({ max: maxDeferrals })

  return {
    /** Until when; on the steady clock. A reason that is not given again is over. */
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

    /** Not before `untilMs`, without counting it as another attempt. */
    postpone: (delivery: PendingDelivery, untilMs: number): void => {
      const known = deferrals.get(deliveryKey(delivery))
      if (known) deferrals.set(deliveryKey(delivery), { ...known, untilMs })
    },

    clear: (delivery: PendingDelivery): void => void deferrals.delete(deliveryKey(delivery)),

    /** When to look again; in the past where nothing is known. */
    untilMs: (delivery: PendingDelivery): number => deferrals.get(deliveryKey(delivery))?.untilMs ?? 0,

    /** For how long it has been waiting for this reason, without an interruption. */
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
