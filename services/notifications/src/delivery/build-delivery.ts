import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { EventStore, Position } from '@portal/platform/event-store/port'
import type { PushSender } from '@portal/platform/outbound/port'
import { createPushCircuitBreaker } from '@portal/platform/outbound/push-circuit-breaker'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints, Maintenance, ProjectionWriter, ReadStore } from '@portal/platform/read-model/port'
import type { Logger } from 'pino'
import type { Devices } from '../device/devices.ts'
import { createContentCache, readTextFromLog } from '../inbox/content-cache.ts'
import type { SeenSource } from '../seen-reports.ts'
import type { RecipientValuesReader } from '../placeholders/recipient-values.ts'
import type { PreferencesReader } from '../preferences/preferences-reader.ts'
import type { NotificationTimings, RetryBackoff } from '../timings.ts'
import { createDecideDelivery } from './decide-delivery.ts'
import { createDeferrals, type DeferralReason } from './deferrals.ts'
import { createDeliverDue } from './deliver-due.ts'
import { createDeliverPostponed } from './deliver-postponed.ts'
import { createDeliverySchedule } from './delivery-schedule.ts'
import { createPushDelivery } from './push-delivery.ts'
import { pendingDeliveriesProjection } from './pending-deliveries.ts'
import { createPushRules } from './push-rules.ts'
import { createPushToUsers } from './push-to-users.ts'
import { createPushWindow } from './recent-pushes.ts'
import { createOutcomeRecorder, type UnconfirmedOutcomes } from './record-outcomes.ts'
import { createSeenBatcher } from './seen-batcher.ts'
import { createMoments, createSendTimes } from './send-times.ts'

type DeliveryDeps = {
  readonly eventStore: Pick<EventStore, 'append' | 'read' | 'check'>
  /** The inboxes. */
  readonly readModel: ReadStore & Checkpoints & ProjectionWriter
  readonly pendingDeliveries: Pick<ReadStore, 'get' | 'getMany' | 'entries' | 'range'> &
    Pick<Checkpoints, 'whenApplied'> &
    Pick<Maintenance, 'check'>
  readonly devices: Pick<Devices, 'tokensOf' | 'holders' | 'drop'>
  readonly preferences: PreferencesReader
  /** Of the placeholders in texts. */
  readonly values: Pick<RecipientValuesReader, 'of'>
  readonly push: Pick<PushSender, 'send'>
  readonly seenSource: Pick<SeenSource, 'upTo'>
  readonly timings: Pick<
    NotificationTimings,
    'graceMs' | 'gatherSeenMs' | 'pushRetryBackoff' | 'pushRetryForMs' | 'pushMaxAgeMs'
  >
  /** Outlives the lease, so that a process that becomes leader again repeats no push. */
  readonly unconfirmed: UnconfirmedOutcomes
  readonly clockAndIds: Pick<ClockAndIds, 'now' | 'elapsedMs'>
  readonly logger: Logger
  readonly signal: AbortSignal
}

/** Backoff per reason for deliveries that cannot be settled yet. */
const backoffsOf = ({ pushRetryBackoff }: DeliveryDeps['timings']): Readonly<Record<DeferralReason, RetryBackoff>> => ({
  'not-arrived': { firstMs: 250, maxMs: 10_000 },
  'not-projected': { firstMs: 250, maxMs: 60_000 },
  'not-accepted': pushRetryBackoff,
  failed: { firstMs: 2_000, maxMs: 60_000 },
})

/** Builds delivery. The delivery worker drives it. */
export const buildDelivery = (deps: DeliveryDeps) => {
  const { eventStore, readModel, pendingDeliveries, seenSource, timings, clockAndIds, logger } = deps
  const now = createMoments(clockAndIds)
  const times = createSendTimes(timings.graceMs)
  const deferrals = createDeferrals(backoffsOf(timings))
  const circuitBreaker = createPushCircuitBreaker(clockAndIds.elapsedMs)
  const schedule = createDeliverySchedule({ pendingDeliveries, times, deferrals })
  const seenBatcher = createSeenBatcher({ eventStore, readModel, schedule, gatherMs: timings.gatherSeenMs, logger })
  const { seenUpTo } = seenBatcher
  const decide = createDecideDelivery({
    ...deps,
    times,
    deferrals,
    seenUpTo,
    loadSeen: async (userIds) => seenBatcher.merge(await seenSource.upTo(userIds)),
    maxAgeMs: timings.pushMaxAgeMs,
  })
  const pushDelivery = createPushDelivery({
    ...deps,
    contentCache: createContentCache(readModel, { fromLog: readTextFromLog(eventStore), logger }),
    pushToUsers: createPushToUsers({ ...deps, circuitBreaker }),
    seenUpTo,
    times,
    deferrals,
    schedule,
    retryForMs: timings.pushRetryForMs,
    now,
  })
  const recorder = createOutcomeRecorder(eventStore, now)
  const rules = createPushRules({ preferences: deps.preferences, window: createPushWindow(pendingDeliveries) })
  const isProjected = (bucket: string, position: Position): Promise<boolean> =>
    waitForProjection(pendingDeliveries, {
      projection: pendingDeliveriesProjection,
      partition: bucket,
      eventPosition: position,
    })
  const both = { ...deps, recorder, isProjected, schedule, decide, pushDelivery, rules, now }
  const due = createDeliverDue({ ...both, deferrals, circuitBreaker })
  const postponed = createDeliverPostponed(both)
  return { now, schedule, seenBatcher, deliverDue: due.deliverDue, postponed, stopPushing: due.stop }
}
