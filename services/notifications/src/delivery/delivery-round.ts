import type { Outcome } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId } from '@portal/contracts/shared/ids'
import type { Position } from '@portal/platform/event-store/port'
import type { DeferralReason } from './deferrals.ts'
import type { OpenDelivery } from './ledger-projection.ts'
import type { Moment } from './send-times.ts'
import type { OpenDeliveries } from './open-deliveries.ts'
import type { RememberedOutcomes } from './record-outcomes.ts'

/** Why a delivery is looked at again, and after how many milliseconds at least. */
export type DelayedReasons = Map<DeferralReason, number>

type Deps = {
  readonly due: readonly OpenDelivery[]
  /** Whether what was read of the ledger for this round still holds. */
  mayAct(): boolean
  /** Whether the ledger has what was recorded there. */
  isInLedger(bucket: string, position: Position): Promise<boolean>
  readonly remembered: Pick<RememberedOutcomes, 'forget'>
  readonly open: Pick<OpenDeliveries, 'done'>
  readonly now: () => Moment
}

/** What became of the deliveries that were due together. */
export const startDeliveryRound = ({ due, mayAct, isInLedger, remembered, open, now }: Deps) => {
  const settled: { readonly notificationId: NotificationId; readonly outcome: Outcome }[] = []
  /** Up to where each bucket's outcomes are recorded. */
  const positions = new Map<string, Position>()
  /** A delivery counts as failed until there is more to say. */
  const results = new Map(due.map((delivery) => [delivery, new Map<DeferralReason, number>([['failed', 0]])]))

  return {
    mayAct,
    /** The returned reasons replace those that were known; more can be added. */
    begin: (delivery: OpenDelivery, reasons: ReadonlyMap<DeferralReason, number>): DelayedReasons => {
      const all: DelayedReasons = new Map(reasons)
      results.set(delivery, all)
      return all
    },
    fail: (delivery: OpenDelivery): void => void results.get(delivery)?.set('failed', 0),
    /** The round does not end this delivery. */
    leaveOut: (delivery: OpenDelivery): void => void results.delete(delivery),
    recorded: (notificationId: NotificationId, outcomes: readonly Outcome[], position: Position): void => {
      for (const outcome of outcomes) {
        settled.push({ notificationId, outcome })
        positions.set(bucketKey(outcome.userId), position)
      }
    },
    /**
     * Waits until the ledger has what was recorded, so that the next round does not find it pending. What it does not have in
     * time is looked at again later.
     */
    finish: async (): Promise<void> => {
      const inLedger = new Map(
        await Promise.all(
          [...positions].map(async ([bucket, position]) => [bucket, await isInLedger(bucket, position)] as const),
        ),
      )
      for (const { notificationId, outcome } of settled)
        if (inLedger.get(bucketKey(outcome.userId)) === true) remembered.forget(notificationId, outcome.userId)
      for (const [delivery, reasons] of results) {
        if (inLedger.get(delivery.bucket) === false) reasons.set('not-in-ledger', 0)
        open.done(delivery, reasons, now().steadyMs)
      }
    },
  }
}
export type DeliveryRound = ReturnType<typeof startDeliveryRound>
