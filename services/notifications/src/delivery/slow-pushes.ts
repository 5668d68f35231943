import { resultWithin } from '@portal/platform/async/timeout'
import type { Position } from '@portal/platform/event-store/port'
import type { Logger } from 'pino'
import type { DelayedReasons } from './delivery-round.ts'
import type { OpenDelivery } from './ledger-projection.ts'
import type { Moment } from './moment.ts'
import type { OpenDeliveries } from './open-deliveries.ts'
import type { OutcomeRecorder } from './outcome-recorder.ts'
import type { PushDelivery, PushedDelivery } from './push-delivery.ts'
import type { RememberedOutcomes } from './remembered-outcomes.ts'

/** A push that takes longer continues by itself, and the round does not wait for it. */
const slowPushMs = 1_000
/** While so many continue, rounds do wait. */
const maxSlowPushes = 256

type Deps = {
  readonly pushDelivery: Pick<PushDelivery, 'push'>
  readonly recorder: Pick<OutcomeRecorder, 'record'>
  isInLedger(bucket: string, position: Position): Promise<boolean>
  readonly remembered: Pick<RememberedOutcomes, 'forget'>
  readonly open: Pick<OpenDeliveries, 'done'>
  readonly now: () => Moment
  readonly logger: Logger
  readonly signal: AbortSignal
}

/** Pushes without holding up a round of deliveries. */
export const createSlowPushes = (deps: Deps) => {
  const { pushDelivery, recorder, isInLedger, remembered, open, now, logger, signal } = deps
  const slowPushes = new Set<Promise<void>>()

  /** Records what a push brought that the round did not wait for. */
  const finishLater = async (delivery: OpenDelivery, before: DelayedReasons, pushing: Promise<PushedDelivery>) => {
    const { notificationId, bucket } = delivery
    const reasons = new Map(before)
    try {
      const pushed = await pushing
      for (const [reason, atLeastMs] of pushed.reasons) reasons.set(reason, atLeastMs)
      if (pushed.settled.length === 0) return
      const position = await recorder.record(notificationId, pushed.settled)
      if (!(await isInLedger(bucket, position))) reasons.set('not-in-ledger', 0)
      else for (const { userId } of pushed.settled) remembered.forget(notificationId, userId)
    } catch (error) {
      reasons.set('failed', 0)
      if (!signal.aborted) logger.error({ err: error, notificationId }, 'delivery could not be settled, trying again')
    } finally {
      open.done(delivery, reasons, now().steadyMs)
    }
  }

  return {
    /** 'continues' if the push takes longer: its outcomes are then recorded, and the delivery is done, without the round. */
    push: async (
      delivery: OpenDelivery,
      toPush: Parameters<PushDelivery['push']>[1],
      reasons: DelayedReasons,
    ): Promise<PushedDelivery | 'continues'> => {
      const pushing = pushDelivery.push(delivery, toPush)
      const pushed = slowPushes.size < maxSlowPushes ? await resultWithin(pushing, slowPushMs) : await pushing
      if (pushed !== undefined) return pushed
      const finishing = finishLater(delivery, reasons, pushing)
      slowPushes.add(finishing)
      void finishing.finally(() => slowPushes.delete(finishing))
      return 'continues'
    },
    /** Resolves when the pushes that no round waits for have ended. */
    stop: async (): Promise<void> => void (await Promise.all(slowPushes)),
  }
}
