import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import { forEachConcurrently } from '@portal/platform/async/semaphore'
import type { EventStore, Position } from '@portal/platform/event-store/port'
import type { PushCircuitBreaker } from '@portal/platform/outbound/push-circuit-breaker'
import type { Maintenance } from '@portal/platform/read-model/port'
import type { Logger } from 'pino'
import { attemptKey, outcomeOf } from './attempts.ts'
import type { DecideDelivery, Decision } from './decide-delivery.ts'
import type { DeferralReason, Deferrals } from './deferrals.ts'
import type { PendingDelivery } from './pending-deliveries.ts'
import type { DeliverySchedule } from './delivery-schedule.ts'
import { createSlowPushes, type PushDelivery } from './push-delivery.ts'
import { type PushRules, sortByVerdict } from './push-rules.ts'
import {
  createOutcomeBatch,
  type OutcomePositions,
  type OutcomeRecorder,
  readSettled,
  type SettledAttempts,
  type UnconfirmedOutcomes,
} from './record-outcomes.ts'
import type { Moment } from './send-times.ts'

type RoundDeps = {
  readonly due: readonly PendingDelivery[]
  /** Whether the pending deliveries read for this round are still valid. */
  mayAct(): boolean
  /** Whether the pending deliveries include everything up to that position. */
  isProjected(bucket: string, position: Position): Promise<boolean>
  readonly unconfirmed: Pick<UnconfirmedOutcomes, 'delete'>
  readonly schedule: Pick<DeliverySchedule, 'done'>
  readonly now: () => Moment
}

/** Collects the results of the deliveries that were due together. */
const startDeliveryRound = ({ due, mayAct, isProjected, unconfirmed, schedule, now }: RoundDeps) => {
  const settled: { readonly notificationId: NotificationId; readonly outcome: DeliveryOutcome }[] = []
  /** Positions of this round. */
  const lastRecorded = new Map<string, Position>()
  /** A delivery counts as failed until it reports otherwise. */
  const results = new Map(due.map((delivery) => [delivery, new Map<DeferralReason, number>([['failed', 0]])]))

  return {
    mayAct,
    /** The returned map replaces the known reasons; the caller can add more. */
    begin: (delivery: PendingDelivery, reasons: ReadonlyMap<DeferralReason, number>): Map<DeferralReason, number> => {
      const all = new Map(reasons)
      results.set(delivery, all)
      return all
    },
    fail: (delivery: PendingDelivery): void => void results.get(delivery)?.set('failed', 0),
    /** Excludes a delivery that this round does not finish. */
    leaveOut: (delivery: PendingDelivery): void => void results.delete(delivery),
    recorded: (
      notificationId: NotificationId,
      outcomes: readonly DeliveryOutcome[],
      positions: OutcomePositions,
    ): void => {
      for (const outcome of outcomes) settled.push({ notificationId, outcome })
      for (const [bucket, position] of positions) {
        const known = lastRecorded.get(bucket)
        if (known === undefined || known < position) lastRecorded.set(bucket, position)
      }
    },
    /**
     * Waits until the recorded outcomes are projected, so that the next round does not find them pending. Those
     * that are not projected in time are retried later.
     */
    finish: async (): Promise<void> => {
      const projected = new Map(
        await Promise.all(
          [...lastRecorded].map(async ([bucket, position]) => [bucket, await isProjected(bucket, position)] as const),
        ),
      )
      for (const { notificationId, outcome } of settled)
        if (projected.get(bucketKey(outcome.userId)) === true) unconfirmed.delete(notificationId, outcome)
      for (const [delivery, reasons] of results) {
        if (projected.get(delivery.bucket) === false) reasons.set('not-projected', 0)
        schedule.done(delivery, reasons, now().steadyMs)
      }
    },
  }
}
type DeliveryRound = ReturnType<typeof startDeliveryRound>

/** Concurrency limits. Small campaigns share a write to the log; the buckets of a large one run in parallel. */
const campaignConcurrency = 32
const deliveryConcurrency = 4

type DeliverDueDeps = {
  readonly eventStore: Pick<EventStore, 'read'>
  readonly recorder: OutcomeRecorder
  readonly pendingDeliveries: Pick<Maintenance, 'check'>
  /** Whether the pending deliveries include everything up to that position. */
  isProjected(bucket: string, position: Position): Promise<boolean>
  readonly schedule: DeliverySchedule
  readonly deferrals: Deferrals
  readonly decide: DecideDelivery
  readonly pushDelivery: PushDelivery
  readonly rules: PushRules
  readonly circuitBreaker: PushCircuitBreaker
  readonly unconfirmed: UnconfirmedOutcomes
  readonly now: () => Moment
  readonly logger: Logger
  readonly signal: AbortSignal
}

export const createDeliverDue = (deps: DeliverDueDeps) => {
  const {
    eventStore,
    recorder,
    pendingDeliveries,
    isProjected,
    schedule,
    deferrals,
    decide,
    pushDelivery,
    rules,
    circuitBreaker,
  } = deps
  const { unconfirmed, now, logger, signal } = deps
  const slowPushes = createSlowPushes({
    pushDelivery,
    recorder,
    isProjected,
    unconfirmed,
    schedule,
    now,
    logger,
    signal,
  })

  /**
   * The read model's server may have been restored from older data, so settled deliveries may look pending. The
   * consumer notices that only a moment later.
   */
  const isStillCurrent = async ({ mayAct }: DeliveryRound): Promise<boolean> => {
    await pendingDeliveries.check()
    return mayAct()
  }

  /** Returns whom to push to now, and who has turned such pushes off. Records who waits. */
  const applyRules = async (delivery: PendingDelivery, toPush: Decision['toPush'], round: DeliveryRound) => {
    const text = await pushDelivery.loadText(delivery.notificationId)
    const { wallMs } = now()
    const verdictOf = await rules.of(delivery, text, { userIds: [...toPush.keys()], wallMs })
    const { allowed, turnedOff, later } = sortByVerdict(toPush, verdictOf)
    for (const userId of allowed.keys()) rules.started(userId, attemptKey(delivery), wallMs)
    if (later.size > 0) round.recorded(delivery.notificationId, [], await recorder.postpone(delivery, later))
    return { allowed, turnedOff }
  }

  const settleDelivery = async (
    delivery: PendingDelivery,
    settledInLog: () => Promise<SettledAttempts>,
    round: DeliveryRound,
  ): Promise<readonly DeliveryOutcome[]> => {
    const { settled, toPush, reasons } = await decide(delivery, settledInLog, now())
    const all = round.begin(delivery, reasons)
    if (!(await isStillCurrent(round))) {
      round.fail(delivery)
      return []
    }
    // What was stopped meanwhile is due again at once, and then decided as stopped.
    if (toPush.size === 0 || schedule.isStopped(delivery)) return settled
    if (!(await recorder.canRecord())) {
      round.fail(delivery)
      return settled
    }
    const { allowed, turnedOff } = await applyRules(delivery, toPush, round)
    const ended = [...settled, ...turnedOff.map((outcome) => outcomeOf(delivery, outcome))]
    if (allowed.size === 0) return ended
    const pushed = await slowPushes.push(delivery, allowed, all)
    if (pushed === 'continues') {
      round.leaveOut(delivery)
      return ended
    }
    for (const [reason, atLeastMs] of pushed.reasons) all.set(reason, atLeastMs)
    return [...ended, ...pushed.settled]
  }

  /** Skips deliveries that only wait for the push provider while the circuit breaker is open. */
  const isBlockedByProvider = (delivery: PendingDelivery): boolean => {
    const openCircuit = circuitBreaker.openFor()
    if (
      !openCircuit ||
      schedule.isStopped(delivery) ||
      !deferrals.isOnly(delivery, 'not-accepted') ||
      pushDelivery.isLastAttempt(delivery)
    )
      return false
    schedule.postpone(delivery, { forMs: openCircuit.forMs, nowMs: now().steadyMs })
    return true
  }

  const settleCampaign = async (
    notificationId: NotificationId,
    deliveries: readonly PendingDelivery[],
    round: DeliveryRound,
  ): Promise<void> => {
    let reading: Promise<SettledAttempts> | undefined
    const settledInLog = () => (reading ??= readSettled(eventStore, notificationId))
    const batch = createOutcomeBatch(async (outcomes) => {
      round.recorded(notificationId, outcomes, await recorder.record(notificationId, outcomes))
    })
    await forEachConcurrently(deliveryConcurrency, deliveries, async (delivery) => {
      if (signal.aborted) return
      if (isBlockedByProvider(delivery)) return round.leaveOut(delivery)
      await batch.add(await settleDelivery(delivery, settledInLog, round))
      await yieldToEventLoop()
    }).finally(batch.record)
  }

  /** A failed campaign is retried and does not stop the others. */
  const trySettling = async (
    notificationId: NotificationId,
    deliveries: readonly PendingDelivery[],
    round: DeliveryRound,
  ): Promise<void> => {
    try {
      await settleCampaign(notificationId, deliveries, round)
    } catch (error) {
      for (const delivery of deliveries) round.fail(delivery)
      if (!signal.aborted) logger.error({ err: error, notificationId }, 'delivery could not be settled, retrying')
    }
  }

  return {
    /**
     * Settles due deliveries while `mayAct` is true: a projection that is rebuilt meanwhile may lack outcomes.
     * Rejects if the due deliveries cannot be read.
     */
    deliverDue: async (mayAct: () => boolean): Promise<void> => {
      const due = await schedule.due(now())
      const round = startDeliveryRound({ due, mayAct, isProjected, unconfirmed, schedule, now })
      const campaigns = Map.groupBy(due, ({ notificationId }) => notificationId)
      await forEachConcurrently(campaignConcurrency, campaigns, ([notificationId, deliveries]) =>
        mayAct() ? trySettling(notificationId, deliveries, round) : Promise.resolve(),
      ).finally(round.finish)
    },
    /** Waits for the pushes that continue without a round. */
    stop: slowPushes.stop,
  }
}
export type DeliverDue = ReturnType<typeof createDeliverDue>['deliverDue']
