import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import { createRunningState } from '@portal/platform/async/running-state'
import { forEachConcurrently } from '@portal/platform/async/semaphore'
import type { EventStore } from '@portal/platform/event-store/port'
import type { ReadStore } from '@portal/platform/read-model/port'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { groupByBucket } from '../campaign/events.ts'
import type { DeliverySchedule } from './delivery-schedule.ts'
import { readDeliveryStatuses, type SeenUpTo } from './delivery-status.ts'
import { recordOutcomes } from './record-outcomes.ts'
import type { SeenReports } from './seen-reports.ts'

/** Users whose tabs have reported, one entry per epoch; enough for all who are online at once. */
const maxUsers = 100_000
const oneEach = (): number => 1

/** Recorded together. */
const sendsAtOnce = 100

/** When so many reported at once, more are coming: they are gathered for longer, as each recording touches every bucket. */
const crowdThreshold = 100
const crowdedFactor = 10

type Deps = {
  readonly eventStore: Pick<EventStore, 'append'>
  readonly readModel: Pick<ReadStore, 'epoch' | 'get' | 'getMany' | 'entries'>
  readonly schedule: Pick<DeliverySchedule, 'pendingOf'>
  /** How long reports are gathered before they are recorded together. */
  readonly gatherMs: number
  readonly logger: Logger
}

/**
 * Turns 'this tab has shown everything up to seq in this epoch' into the outcome 'live' of whatever that covers and is still open. Reports are
 * gathered for a short moment, so that a send to many open tabs is settled by few events.
 */
export const createSeenBatcher = ({ eventStore, readModel, schedule, gatherMs, logger }: Deps) => {
  /** By epoch and user: a report in an epoch that this process has yet to switch to counts from then on. */
  const shown = new LRUCache<string, number>({ maxSize: maxUsers, sizeCalculation: oneEach })
  let waiting = new Set<UserId>()
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> = Promise.resolve()
  let isCrowded = false
  const state = createRunningState()

  const keyOf = (userId: UserId, epoch: string): string => `${epoch} ${userId}`
  const seenUpTo: SeenUpTo = (userId, epoch) => shown.get(keyOf(userId, epoch)) ?? 0
  /** Whether it says more than what is known. */
  const note = ([userId, seq, epoch]: SeenReports[number]): boolean => {
    // A gateway of an earlier release does not say which numbering it means.
    if (epoch === '' || seq <= seenUpTo(userId, epoch)) return false
    shown.set(keyOf(userId, epoch), seq)
    return true
  }

  const liveIn = async (
    bucket: string,
    users: ReadonlySet<UserId>,
  ): Promise<Map<NotificationId, DeliveryOutcome[]>> => {
    const live = new Map<NotificationId, DeliveryOutcome[]>()
    for (const { notificationId, pending, active } of await schedule.pendingOf(bucket)) {
      const present = [...pending, ...active].filter((userId) => users.has(userId))
      const statuses = await readDeliveryStatuses(readModel, bucket, notificationId, present, seenUpTo)
      const outcomes = present
        .filter((userId) => statuses.get(userId)?.kind === 'live')
        .map((userId): DeliveryOutcome => ({ userId, state: 'live' }))
      if (outcomes.length > 0) live.set(notificationId, outcomes)
    }
    return live
  }

  const settle = async (users: ReadonlySet<UserId>): Promise<void> => {
    const outcomes = new Map<NotificationId, DeliveryOutcome[]>()
    for (const { bucket, items } of groupByBucket([...users], bucketKey)) {
      for (const [notificationId, live] of await liveIn(bucket, new Set(items)))
        outcomes.set(notificationId, [...(outcomes.get(notificationId) ?? []), ...live])
      await yieldToEventLoop()
    }
    // Together, so that they share a write of the log.
    await forEachConcurrently(sendsAtOnce, outcomes, async ([notificationId, live]) => {
      await recordOutcomes(eventStore, notificationId, live)
    })
  }

  const flush = async (): Promise<void> => {
    const users = waiting
    waiting = new Set()
    isCrowded = users.size >= crowdThreshold
    try {
      if (users.size > 0) await settle(users)
    } catch (error) {
      logger.warn({ err: error, users: users.size }, 'What open tabs have seen could not be recorded; trying again')
      // Not at once.
      isCrowded = true
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
      isCrowded ? crowdedFactor * gatherMs : gatherMs,
    ).unref()
  }

  return {
    seenUpTo,
    /** Everything up to `seq` in the numbering of `epoch` has been shown on a visible tab of the user. */
    seen: (userId: UserId, seq: number, epoch: string): void => {
      if (note([userId, seq, epoch])) add(userId)
    },
    /** As `seen`, for whoever is about to record what follows from it. */
    merge: (seen: SeenReports): void => {
      for (const report of seen) note(report)
    },
    /** The ledger has just heard of recipients; a tab may have been faster. */
    recheck: (userIds: readonly UserId[]): void => {
      for (const userId of userIds) if (seenUpTo(userId, readModel.epoch) > 0) add(userId)
    },
    /** Records what has been reported so far, without waiting for more. */
    flush: async (): Promise<void> => {
      await flushing
      await flush()
    },
    /** Records what has been reported, and gathers no more. */
    stop: async (): Promise<void> => {
      state.stop()
      clearTimeout(timer)
      await flushing
      await flush()
    },
  }
}
export type SeenBatcher = ReturnType<typeof createSeenBatcher>
