import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import { allBucketKeys } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import { forEachConcurrently } from '@portal/platform/async/semaphore'
import type { EventStore, Position } from '@portal/platform/event-store/port'
import type { Maintenance, ReadStore } from '@portal/platform/read-model/port'
import type { Logger } from 'pino'
import { attemptKey, outcomeOf } from './attempts.ts'
import type { DecideDelivery, Numbered } from './decide-delivery.ts'
import type { DeferralReason } from './deferrals.ts'
import type { DeliverySchedule } from './delivery-schedule.ts'
import { type PendingDelivery, readPostponedDeliveries } from './pending-deliveries.ts'
import { postponedPageSize, type PostponedUser, readPostponed } from './postponed-users.ts'
import type { PushDelivery } from './push-delivery.ts'
import { type PushRules, sortByVerdict } from './push-rules.ts'
import { type OutcomeRecorder, readSettled, type SettledAttempts, type UnconfirmedOutcomes } from './record-outcomes.ts'
import type { Moment } from './send-times.ts'
import { summaryIdOf } from './summary.ts'

/** A push waits for less than a day. One that seems to wait for longer is from before the clock was set back. */
const maxWaitMs = 26 * 3_600_000
/** Maximum interval between reads of a bucket, in case the clock was set. */
const maxReadIntervalMs = 60_000
/** Pause after a bucket could not be read or delivered. */
const failedRetryMs = 2_000
/** Buckets that are delivered concurrently. */
const bucketConcurrency = 2
/** Groups of users of a bucket that are pushed to concurrently. */
const groupConcurrency = 4
/** Deliveries of a bucket that are decided or recorded concurrently. */
const deliveryConcurrency = 8

type DeliverPostponedDeps = {
  readonly eventStore: Pick<EventStore, 'read'>
  readonly recorder: OutcomeRecorder
  readonly pendingDeliveries: Pick<ReadStore, 'range' | 'entries'> & Pick<Maintenance, 'check'>
  /** Whether the pending deliveries include everything up to that position. */
  isProjected(bucket: string, position: Position): Promise<boolean>
  readonly schedule: Pick<DeliverySchedule, 'begin' | 'done'>
  readonly decide: DecideDelivery
  readonly rules: PushRules
  readonly pushDelivery: Pick<PushDelivery, 'loadText' | 'push' | 'pushSummary'>
  readonly unconfirmed: Pick<UnconfirmedOutcomes, 'delete'>
  readonly now: () => Moment
  readonly logger: Logger
  readonly signal: AbortSignal
}

/** What happens to one delivery of a page. */
type Plan = {
  readonly delivery: PendingDelivery
  readonly reasons: Map<DeferralReason, number>
  readonly outcomes: DeliveryOutcome[]
  /** Whom to push to now. */
  readonly allowed: Map<UserId, Numbered>
  readonly later: Map<UserId, number>
}

/** Users who get the same deliveries at the same time. */
type Group = { readonly plans: readonly Plan[]; readonly until: string; readonly userIds: UserId[] }

const groupByContent = (users: readonly PostponedUser[], plans: readonly Plan[]): readonly Group[] => {
  const groups = new Map<string, Group>()
  for (const { userId, until } of users) {
    const own = plans.filter(({ allowed }) => allowed.has(userId))
    if (own.length === 0) continue
    const key = `${until} ${own.map(({ delivery }) => attemptKey(delivery)).join(' ')}`
    const group = groups.get(key)
    if (group) group.userIds.push(userId)
    else groups.set(key, { plans: own, until, userIds: [userId] })
  }
  return [...groups.values()]
}

/**
 * Delivers the pushes that had to wait, once they are due: one push per user, which is a summary if several wait. What the
 * user has seen meanwhile is left out. The rules of pushes apply again, so that nothing is pushed into changed quiet hours.
 */
export const createDeliverPostponed = (deps: DeliverPostponedDeps) => {
  const { eventStore, recorder, pendingDeliveries, isProjected, schedule, decide, rules, pushDelivery } = deps
  const { unconfirmed, now, logger, signal } = deps
  /** When to read each bucket, on the monotonic clock. */
  const nextReadMs = new Map<string, number>()
  /** Buckets in which users wait, as far as this process has read. */
  const waiting = new Set<string>()
  let onEarlier = (): void => undefined

  const readAt = (bucket: string, atMs: number): void => {
    if (atMs >= (nextReadMs.get(bucket) ?? 0)) return
    nextReadMs.set(bucket, atMs)
    onEarlier()
  }

  /** The streams are read once a round: each has all recipients. */
  const createLogReader = () => {
    const reading = new Map<NotificationId, Promise<SettledAttempts>>()
    return (notificationId: NotificationId) => async (): Promise<SettledAttempts> => {
      const known = reading.get(notificationId) ?? readSettled(eventStore, notificationId)
      reading.set(notificationId, known)
      return known
    }
  }
  type LogReader = ReturnType<typeof createLogReader>

  const plan = async (delivery: PendingDelivery, settledInLog: LogReader): Promise<Plan> => {
    const moment = now()
    const { settled, toPush, reasons } = await decide(delivery, settledInLog(delivery.notificationId), moment)
    const planned = { delivery, reasons: new Map(reasons) }
    if (toPush.size === 0) return { ...planned, outcomes: [...settled], allowed: new Map(), later: new Map() }
    const text = await pushDelivery.loadText(delivery.notificationId)
    const verdictOf = await rules.of(delivery, text, { userIds: [...toPush.keys()], wallMs: moment.wallMs })
    const { allowed, turnedOff, later } = sortByVerdict(toPush, verdictOf)
    const outcomes = [...settled, ...turnedOff.map((outcome) => outcomeOf(delivery, outcome))]
    return { ...planned, outcomes, allowed, later }
  }

  const pushGroup = async ({ plans, until, userIds }: Group): Promise<void> => {
    const [first] = plans
    if (first === undefined) return
    const ofUsers = ({ allowed }: Plan) => new Map(userIds.map((userId) => [userId, allowed.get(userId)]))
    const isSingle = plans.length === 1
    const summaryId = summaryIdOf(until)
    for (const userId of userIds) rules.started(userId, isSingle ? attemptKey(first.delivery) : summaryId, now().wallMs)
    const push = async () => {
      if (isSingle) return [await pushDelivery.push(first.delivery, ofUsers(first))]
      const texts = await Promise.all(plans.map(({ delivery }) => pushDelivery.loadText(delivery.notificationId)))
      const deliveries = plans.map((one) => ({ delivery: one.delivery, recipients: ofUsers(one) }))
      return pushDelivery.pushSummary({ id: summaryId, texts }, deliveries, userIds)
    }
    for (const [index, pushed] of (await push()).entries()) {
      const target = plans[index]
      target?.outcomes.push(...pushed.settled)
      for (const [reason, atLeastMs] of pushed.reasons) target?.reasons.set(reason, atLeastMs)
    }
  }

  /** Records what became of the delivery, and waits until the pending deliveries have it. */
  const record = async ({ delivery, outcomes, later, reasons }: Plan): Promise<void> => {
    const { notificationId, bucket } = delivery
    const positions = [
      ...(outcomes.length > 0 ? [await recorder.record(notificationId, outcomes)] : []),
      ...(later.size > 0 ? [await recorder.postpone(delivery, later)] : []),
    ].flatMap((recorded) => recorded.get(bucket) ?? [])
    const last = positions.at(-1)
    if (last === undefined) return
    // A stop does not wait: the next start reads the log first.
    if (signal.aborted || !(await isProjected(bucket, last))) reasons.set('not-projected', 0)
    else for (const outcome of outcomes) unconfirmed.delete(notificationId, outcome)
  }

  /** A failure must not stop what else waits in the bucket. */
  const succeeds = async (bucket: string, work: Promise<unknown>): Promise<boolean> => {
    try {
      await work
      return true
    } catch (error) {
      if (!signal.aborted) logger.error({ err: error, bucket }, 'postponed pushes could not be delivered, retrying')
      return false
    }
  }

  /** Delivers to the users of one page. */
  const deliverPage = async (
    bucket: string,
    users: readonly PostponedUser[],
    settledInLog: LogReader,
    mayAct: () => boolean,
  ): Promise<void> => {
    const listed = await readPostponedDeliveries(pendingDeliveries, bucket, users)
    // A stopped one is settled as a whole.
    const running = listed.filter(({ stopped }) => stopped === undefined)
    const deliveries = running.filter(schedule.begin)
    const reasonsOf = new Map(
      deliveries.map((delivery) => [delivery, new Map<DeferralReason, number>([['failed', 0]])]),
    )
    try {
      const planned = new Map<PendingDelivery, Plan>()
      await forEachConcurrently(deliveryConcurrency, deliveries, async (delivery) => {
        if (signal.aborted) return
        const planning = plan(delivery, settledInLog)
        if (await succeeds(bucket, planning)) planned.set(delivery, await planning)
      })
      const plans = deliveries.flatMap((delivery) => planned.get(delivery) ?? [])
      // What failed or is in progress comes up again, together with the rest that waits for the same users.
      const missing = new Set(running.filter((delivery) => !planned.has(delivery)).map(attemptKey))
      const ready = users.filter(({ attempts }) => !attempts.some((attempt) => missing.has(attempt)))
      await pendingDeliveries.check()
      if (!mayAct() || !(await recorder.canRecord())) return
      await forEachConcurrently(groupConcurrency, groupByContent(ready, plans), async (group) => {
        if (!(await succeeds(bucket, pushGroup(group)))) for (const { reasons } of group.plans) reasons.set('failed', 0)
      })
      await forEachConcurrently(deliveryConcurrency, plans, async (one) => {
        if (await succeeds(bucket, record(one))) reasonsOf.set(one.delivery, one.reasons)
      })
    } finally {
      for (const [delivery, reasons] of reasonsOf) {
        const retryMs = schedule.done(delivery, reasons, now().steadyMs)
        if (retryMs !== undefined) readAt(bucket, retryMs)
      }
      if (deliveries.length < running.length) readAt(bucket, now().steadyMs + failedRetryMs)
    }
  }

  const isDue = ({ dueAtMs }: PostponedUser, wallMs: number): boolean =>
    dueAtMs <= wallMs || dueAtMs > wallMs + maxWaitMs

  const deliverFrom = async (
    bucket: string,
    startMs: number,
    deliver: (users: readonly PostponedUser[]) => Promise<void>,
  ): Promise<PostponedUser | undefined> => {
    for (let fromMs = startMs; ;) {
      const { wallMs } = now()
      const page = await readPostponed(pendingDeliveries, bucket, fromMs)
      const due = page.filter((user) => isDue(user, wallMs))
      if (due.length > 0) await deliver(due)
      await yieldToEventLoop()
      const last = page.at(-1)
      if (last === undefined || due.length < page.length || page.length < postponedPageSize || signal.aborted)
        return page.find((user) => !isDue(user, wallMs))
      fromMs = last.dueAtMs + 1
    }
  }

  const deliverBucket = async (bucket: string, settledInLog: LogReader, mayAct: () => boolean): Promise<void> => {
    nextReadMs.set(bucket, now().steadyMs + maxReadIntervalMs)
    try {
      let delivered = 0
      const deliver = (users: readonly PostponedUser[]): Promise<void> => {
        delivered += users.length
        return mayAct() ? deliverPage(bucket, users, settledInLog, mayAct) : Promise.resolve()
      }
      const next = await deliverFrom(bucket, 0, deliver)
      await deliverFrom(bucket, now().wallMs + maxWaitMs, deliver)
      if (next === undefined && delivered === 0) waiting.delete(bucket)
      else waiting.add(bucket)
      const moment = now()
      if (next !== undefined) readAt(bucket, moment.steadyMs + next.dueAtMs - moment.wallMs)
    } catch (error) {
      readAt(bucket, now().steadyMs + failedRetryMs)
      if (!signal.aborted) logger.error({ err: error, bucket }, 'postponed pushes could not be delivered, retrying')
    }
  }

  return {
    /** Calls the listener when a bucket is to be read earlier than `nextAtMs` said. */
    onEarlier: (listener: () => void): void => {
      onEarlier = listener
    },
    nextAtMs: (): number => Math.min(...allBucketKeys.map((bucket) => nextReadMs.get(bucket) ?? 0)),
    /** Pushes in the bucket wait until then; ISO 8601. */
    postponed: (bucket: string, until: string): void => {
      const { steadyMs, wallMs } = now()
      waiting.add(bucket)
      readAt(bucket, steadyMs + Math.max(0, Date.parse(until) - wallMs))
    },
    /** Whether users of the bucket may be waiting. */
    isWaiting: (bucket: string): boolean => waiting.has(bucket),
    /** Discards all read state. */
    recheckAll: (): void => {
      nextReadMs.clear()
      onEarlier()
    },
    /** Delivers what is due while `mayAct` is true. */
    deliver: async (mayAct: () => boolean): Promise<void> => {
      const { steadyMs } = now()
      const settledInLog = createLogReader()
      const due = allBucketKeys.filter((bucket) => (nextReadMs.get(bucket) ?? 0) <= steadyMs)
      await forEachConcurrently(bucketConcurrency, due, (bucket) =>
        mayAct() ? deliverBucket(bucket, settledInLog, mayAct) : Promise.resolve(),
      )
    },
  }
}
export type DeliverPostponed = ReturnType<typeof createDeliverPostponed>
