import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import { createRunningState } from '@portal/platform/async/running-state'
import { forEachConcurrently } from '@portal/platform/async/semaphore'
import type { EventStore } from '@portal/platform/event-store/port'
import type { ReadStore } from '@portal/platform/read-model/port'
import { boundedCache } from '@portal/platform/cache/bounded-cache'
import type { Logger } from 'pino'
import { groupByBucket } from '../campaign/events.ts'
import { outcomeOf } from './attempts.ts'
import type { DeliverySchedule } from './delivery-schedule.ts'
import { readDeliveryStatuses, type SeenUpTo } from './delivery-status.ts'
import { recordOutcomes } from './record-outcomes.ts'
import type { SeenReports } from '../seen-reports.ts'

/** Users with reports, one entry per epoch. Enough for all users who are online. */
const maxUsers = 100_000

/** Campaigns recorded concurrently. */
const campaignConcurrency = 100

/** Users per batch from which batches become longer, because each one touches every bucket. */
const busyThreshold = 100
const busyFactor = 10

type SeenBatcherDeps = {
  readonly eventStore: Pick<EventStore, 'append'>
  readonly readModel: Pick<ReadStore, 'epoch' | 'get' | 'getMany' | 'entries'>
  readonly schedule: Pick<DeliverySchedule, 'pendingOf'>
  /** How long reports are collected before they are recorded. */
  readonly gatherMs: number
  readonly logger: Logger
}

/**
 * Records the outcome 'live' for all pending deliveries that a tab's report covers. Collects reports briefly, so
 * that a campaign to many open tabs needs few events.
 */
export const createSeenBatcher = ({ eventStore, readModel, schedule, gatherMs, logger }: SeenBatcherDeps) => {
  /** Sequence numbers by epoch and user. A report of a later epoch counts once this process has switched to it. */
  const shown = boundedCache<string, number>(maxUsers)
  let waiting = new Set<UserId>()
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> = Promise.resolve()
  let isBusy = false
  const state = createRunningState()

  const keyOf = (userId: UserId, epoch: string): string => `${epoch} ${userId}`
  const seenUpTo: SeenUpTo = (userId, epoch) => shown.get(keyOf(userId, epoch)) ?? 0
  /** Stores a report. Returns whether it is news. */
  const addReport = ([userId, seq, epoch]: SeenReports[number]): boolean => {
    // Gateways of earlier releases do not send an epoch.
    if (epoch === '' || seq <= seenUpTo(userId, epoch)) return false
    shown.set(keyOf(userId, epoch), seq)
    return true
  }

  const readLive = async (
    bucket: string,
    users: ReadonlySet<UserId>,
  ): Promise<Map<NotificationId, DeliveryOutcome[]>> => {
    const live = new Map<NotificationId, DeliveryOutcome[]>()
    for (const delivery of await schedule.pendingOf(bucket)) {
      const { notificationId, pending, active, postponed } = delivery
      const present = [...pending, ...active, ...postponed].filter((userId) => users.has(userId))
      const statuses = await readDeliveryStatuses(readModel, delivery, present, seenUpTo)
      const outcomes = present
        .filter((userId) => statuses.get(userId)?.kind === 'live')
        .map((userId) => outcomeOf(delivery, { userId, state: 'live' }))
      if (outcomes.length > 0) live.set(notificationId, [...(live.get(notificationId) ?? []), ...outcomes])
    }
    return live
  }

  const settle = async (users: ReadonlySet<UserId>): Promise<void> => {
    const outcomes = new Map<NotificationId, DeliveryOutcome[]>()
    for (const { bucket, items } of groupByBucket([...users], bucketKey)) {
      for (const [notificationId, live] of await readLive(bucket, new Set(items)))
        outcomes.set(notificationId, [...(outcomes.get(notificationId) ?? []), ...live])
      await yieldToEventLoop()
    }
    // Concurrently, to share a write to the log.
    await forEachConcurrently(campaignConcurrency, outcomes, async ([notificationId, live]) => {
      await recordOutcomes(eventStore, notificationId, live)
    })
  }

  const flush = async (): Promise<void> => {
    const users = waiting
    waiting = new Set()
    isBusy = users.size >= busyThreshold
    try {
      if (users.size > 0) await settle(users)
    } catch (error) {
      logger.warn({ err: error, users: users.size }, 'seen reports could not be recorded, retrying')
      // Retry after the longer pause.
      isBusy = true
      for (const userId of users) add(userId)
    }
  }

  const add = (userId: UserId): void => {
    waiting.add(userId)
    if (state.isStopped()) return
    timer ??= setTimeout(
      () => {
        timer = undefined
        flushing = flushing.then(flush)
      },
      isBusy ? busyFactor * gatherMs : gatherMs,
    ).unref()
  }

  return {
    seenUpTo,
    /** A visible tab of the user has shown everything up to `seq` in `epoch`. */
    seen: (userId: UserId, seq: number, epoch: string): void => {
      if (addReport([userId, seq, epoch])) add(userId)
    },
    /** Takes reports like `seen`, for a caller that records the consequences itself. */
    merge: (seen: SeenReports): void => {
      for (const report of seen) addReport(report)
    },
    /** New pending recipients were projected. A tab may have reported earlier. */
    recheck: (userIds: readonly UserId[]): void => {
      for (const userId of userIds) if (seenUpTo(userId, readModel.epoch) > 0) add(userId)
    },
    /** Records all reports now. */
    flush: async (): Promise<void> => {
      await flushing
      await flush()
    },
    /** Records all reports and stops. */
    stop: async (): Promise<void> => {
      state.stop()
      clearTimeout(timer)
      await flushing
      await flush()
    },
  }
}
export type SeenBatcher = ReturnType<typeof createSeenBatcher>
