import type { Outcome } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import { forEachConcurrently } from '@portal/platform/async/semaphore'
import { resultWithin } from '@portal/platform/async/timeout'
import type { EventStore, Position } from '@portal/platform/event-store/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints, Maintenance } from '@portal/platform/read-model/port'
import type { Logger } from 'pino'
import { recipientsPerEvent } from '../campaign/events.ts'
import { type CampaignOnRecord, readCampaign } from './campaign-on-record.ts'
import type { DecideDelivery } from './decide-delivery.ts'
import type { DeferralReason, Deferrals } from './deferrals.ts'
import { ledgerProjection, type OpenDelivery } from './ledger-projection.ts'
import type { Moment } from './moment.ts'
import type { OpenDeliveries } from './open-deliveries.ts'
import type { PushBrake } from './push-brake.ts'
import type { PushDelivery, PushedDelivery } from './push-delivery.ts'
import type { OutcomeRecorder } from './outcome-recorder.ts'
import type { RememberedOutcomes } from './remembered-outcomes.ts'

/** Worked on at a time: small sends share a write of the log, the buckets of a large one do not wait for each other. */
const campaignsAtOnce = 32
const deliveriesAtOnce = 4
/** A push that takes longer goes on by itself, and the round does not wait for it. */
const slowPushMs = 1_000
/** Beyond that the rounds do wait. */
const mostSlowPushes = 256

type Deps = {
  readonly eventStore: Pick<EventStore, 'read'>
  readonly recorder: OutcomeRecorder
  readonly ledger: Pick<Checkpoints, 'whenApplied'> & Pick<Maintenance, 'check'>
  readonly open: OpenDeliveries
  readonly deferrals: Deferrals
  readonly decide: DecideDelivery
  readonly pushDelivery: PushDelivery
  readonly brake: PushBrake
  readonly remembered: RememberedOutcomes
  readonly now: () => Moment
  readonly logger: Logger
  readonly signal: AbortSignal
}

type Reasons = Map<DeferralReason, number>
type Round = {
  readonly settled: { readonly notificationId: NotificationId; readonly outcome: Outcome }[]
  /** Up to where each bucket's outcomes are recorded. */
  readonly positions: Map<string, Position>
  /** What is still to be said of the deliveries. */
  readonly results: Map<OpenDelivery, Reasons>
  /** Whether what was read of the ledger in this round still holds. */
  mayAct(): boolean
}

export const createDeliverDue = (deps: Deps) => {
  const {
    eventStore,
    recorder,
    ledger,
    open,
    deferrals,
    decide,
    pushDelivery,
    brake,
    remembered,
    now,
    logger,
    signal,
  } = deps
  const slowPushes = new Set<Promise<void>>()

  const isInLedger = (bucket: string, position: Position): Promise<boolean> =>
    waitForProjection(ledger, { projection: ledgerProjection, partition: bucket, eventPosition: position })

  /** Records what a push brought that the round did not wait for. */
  const finishLater = async (delivery: OpenDelivery, before: Reasons, pushing: Promise<PushedDelivery>) => {
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

  /**
   * The read model's server may have come back with older data since the ledger was read, or before: then what looks open there may be
   * settled. Its consumer notices that a moment later.
   */
  const ledgerHolds = async ({ mayAct }: Round): Promise<boolean> => {
    await ledger.check()
    return mayAct()
  }

  const settleDelivery = async (
    delivery: OpenDelivery,
    onRecord: () => Promise<CampaignOnRecord>,
    round: Round,
  ): Promise<readonly Outcome[]> => {
    const { results } = round
    const { settled, toPush, reasons } = await decide(delivery, onRecord, now())
    const all: Reasons = new Map(reasons)
    results.set(delivery, all)
    if (!(await ledgerHolds(round))) {
      all.set('failed', 0)
      return []
    }
    if (toPush.size === 0) return settled
    if (!(await recorder.canRecord())) {
      all.set('failed', 0)
      return settled
    }
    const pushing = pushDelivery.push(delivery, toPush)
    const pushed = slowPushes.size < mostSlowPushes ? await resultWithin(pushing, slowPushMs) : await pushing
    if (pushed !== undefined) {
      for (const [reason, atLeastMs] of pushed.reasons) all.set(reason, atLeastMs)
      return [...settled, ...pushed.settled]
    }
    results.delete(delivery)
    const finishing = finishLater(delivery, all, pushing)
    slowPushes.add(finishing)
    void finishing.finally(() => slowPushes.delete(finishing))
    return settled
  }

  /** While the provider is away nothing is asked or read for those that wait for it alone. */
  const waitsForProvider = (delivery: OpenDelivery): boolean => {
    const held = brake.held()
    if (!held || !deferrals.isOnly(delivery, 'not-taken-over') || pushDelivery.isLastAttempt(delivery)) return false
    open.postpone(delivery, now().steadyMs + held.forMs)
    return true
  }

  /** Records by the chunk: a crash repeats no more than that, and a send to thousands costs the log few writes. */
  const settleCampaign = async (
    notificationId: NotificationId,
    deliveries: readonly OpenDelivery[],
    round: Round,
  ): Promise<void> => {
    let reading: Promise<CampaignOnRecord> | undefined
    const onRecord = () => (reading ??= readCampaign(eventStore, notificationId))
    let gathered: Outcome[] = []
    const record = async (): Promise<void> => {
      const outcomes = gathered
      gathered = []
      if (outcomes.length === 0) return
      const position = await recorder.record(notificationId, outcomes)
      for (const outcome of outcomes) {
        round.settled.push({ notificationId, outcome })
        round.positions.set(bucketKey(outcome.userId), position)
      }
    }
    await forEachConcurrently(deliveriesAtOnce, deliveries, async (delivery) => {
      if (signal.aborted) return
      if (waitsForProvider(delivery)) return void round.results.delete(delivery)
      gathered.push(...(await settleDelivery(delivery, onRecord, round)))
      if (gathered.length >= recipientsPerEvent) await record()
      await yieldToEventLoop()
    }).finally(record)
  }

  /** One that fails is tried again by itself, and stops no other. */
  const trySettling = async (
    notificationId: NotificationId,
    deliveries: readonly OpenDelivery[],
    round: Round,
  ): Promise<void> => {
    try {
      await settleCampaign(notificationId, deliveries, round)
    } catch (error) {
      for (const delivery of deliveries) round.results.get(delivery)?.set('failed', 0)
      if (!signal.aborted) logger.error({ err: error, notificationId }, 'delivery could not be settled, trying again')
    }
  }

  /**
   * Waits until the ledger has what was recorded, so that the next round does not find it pending. What it has not heard of in time
   * is looked at again later.
   */
  const finish = async (round: Round): Promise<void> => {
    const heard = new Map(
      await Promise.all(
        [...round.positions].map(async ([bucket, position]) => [bucket, await isInLedger(bucket, position)] as const),
      ),
    )
    for (const { notificationId, outcome } of round.settled)
      if (heard.get(bucketKey(outcome.userId)) === true) remembered.forget(notificationId, outcome.userId)
    for (const [delivery, reasons] of round.results) {
      if (heard.get(delivery.bucket) === false) reasons.set('not-in-ledger', 0)
      open.done(delivery, reasons, now().steadyMs)
    }
  }

  return {
    /**
     * Settles what is due, as long as `mayAct`: a ledger that is built anew meanwhile may lack outcomes. Rejects when what is due
     * cannot be found out.
     */
    deliverDue: async (mayAct: () => boolean): Promise<void> => {
      const due = await open.due(now())
      // Until there is more to say: it has failed, should it never get there.
      const results = new Map(due.map((delivery) => [delivery, new Map<DeferralReason, number>([['failed', 0]])]))
      const round: Round = { settled: [], positions: new Map(), results, mayAct }
      const campaigns = Map.groupBy(due, ({ notificationId }) => notificationId)
      await forEachConcurrently(campaignsAtOnce, campaigns, ([notificationId, deliveries]) =>
        mayAct() ? trySettling(notificationId, deliveries, round) : Promise.resolve(),
      ).finally(() => finish(round))
    },
    /** The pushes that no round waits for have ended. */
    stop: async (): Promise<void> => void (await Promise.all(slowPushes)),
  }
}
export type DeliverDue = ReturnType<typeof createDeliverDue>['deliverDue']
