import type { UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { EventStore } from '@portal/platform/event-store/port'
import { noObservability } from '@portal/platform/observability/observability'
import type { PushSender } from '@portal/platform/outbound/port'
import type { Checkpoints, Maintenance, ProjectionWriter, ReadStore } from '@portal/platform/read-model/port'
import type { ServiceDeps } from '@portal/platform/runtime/service'
import { sessionsProjectionRef } from '@portal/platform/session/session-denylist'
import type { Logger } from 'pino'
import { createDevices, createEndPushTokens, createHandleDevice, type Devices } from '../device/devices.ts'
import { deviceProjection } from '../device/projection.ts'
import { createDueSends } from '../held-send/due-sends.ts'
import { createSendHeld } from '../held-send/send-held.ts'
import { inboxProjection } from '../inbox/projection.ts'
import { createContentCache, readTextFromLog } from '../inbox/content-cache.ts'
import { createDistributor } from '../distribution/distributor.ts'
import { createEnrollmentNotices } from '../enrollment-notice/enrollment-notices.ts'
import { recipientProjection } from '../recipient/projection.ts'
import type { NotificationTimings } from '../timings.ts'
import { createDecideDelivery } from './decide-delivery.ts'
import { createDeferrals, type DeferralReason, type RetryBackoff } from './deferrals.ts'
import { createDeliverDue } from './deliver-due.ts'
import { pendingDeliveriesProjection } from './pending-deliveries.ts'
import { observeDelivery } from './observe-delivery.ts'
import { createDeliverySchedule } from './delivery-schedule.ts'
import { type SeenReceipts, type SeenSource, localSeenSource } from './seen-reports.ts'
import { createPushDelivery } from './push-delivery.ts'
import { createPushCircuitBreaker, createPushToUsers } from './push-to-users.ts'
import { createOutcomeRecorder, createUnconfirmedOutcomes, type UnconfirmedOutcomes } from './record-outcomes.ts'
import { createSeenBatcher } from './seen-batcher.ts'
import { createMoments, createSendTimes } from './send-times.ts'
import { createDeliveryWorker } from './worker.ts'

type Deps = {
  readonly eventStore: Pick<EventStore, 'append' | 'read' | 'check'>
  /** The inboxes. */
  readonly readModel: ReadStore & Checkpoints & ProjectionWriter
  readonly pendingDeliveries: Pick<ReadStore, 'get' | 'range'> &
    Pick<Checkpoints, 'whenApplied'> &
    Pick<Maintenance, 'check'>
  readonly devices: Pick<Devices, 'tokensOf' | 'holders' | 'drop'>
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
const backoffsOf = ({ pushRetryBackoff }: Deps['timings']): Readonly<Record<DeferralReason, RetryBackoff>> => ({
  'not-arrived': { firstMs: 250, maxMs: 10_000 },
  'not-projected': { firstMs: 250, maxMs: 60_000 },
  'not-accepted': pushRetryBackoff,
  failed: { firstMs: 2_000, maxMs: 60_000 },
})

/** Builds the parts of delivery. The worker drives them. */
export const createDeliveryParts = (deps: Deps) => {
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
  const due = createDeliverDue({ ...deps, recorder, schedule, deferrals, decide, pushDelivery, circuitBreaker, now })
  return { now, schedule, seenBatcher, deliverDue: due.deliverDue, stopPushing: due.stop }
}

type DeliveryDeps = Omit<ServiceDeps, 'bind' | 'limiters' | 'securityLog'> & {
  readonly push: PushSender
  readonly timings: NotificationTimings
  /** Queried before each push if the sockets are in other processes. */
  readonly seenSource?: SeenSource
  /** Counts the open devices for the answer to the sender. */
  readonly receipts: SeenReceipts
  /** From an earlier term as leader in this process. */
  readonly unconfirmed?: UnconfirmedOutcomes
}

export type Delivery = {
  start(): Promise<void>
  stop(): Promise<void>
  /** A visible tab of the user has shown everything up to `seq` in `epoch`. */
  seen(userId: UserId, seq: number, epoch: string): void
}

/** Settles deliveries: live, pushed or not. The only part of the context that calls the push provider. */
export const buildDelivery = (deps: DeliveryDeps): Delivery => {
  const { readModels, vault, clockAndIds, timings, receipts, logger } = deps
  const {
    seenSource = localSeenSource,
    unconfirmed = createUnconfirmedOutcomes(),
    observability = noObservability(),
  } = deps
  const { eventStore, bus, push } = observeDelivery(deps, observability)
  const readModel = readModels.of(inboxProjection)
  const pendingDeliveries = readModels.of(pendingDeliveriesProjection)
  const deviceReadModel = readModels.of(deviceProjection)
  const sessions = readModels.of(sessionsProjectionRef)
  const handle = createHandleDevice({ eventStore: deps.eventStore, clockAndIds })
  const devices = createDevices({ handle, readModel: deviceReadModel, sessions, vault })

  const abort = new AbortController()
  const ports = {
    eventStore,
    readModel,
    pendingDeliveries,
    devices,
    push,
    seenSource,
    clockAndIds,
    logger,
    signal: abort.signal,
  }
  const { now, schedule, seenBatcher, deliverDue, stopPushing } = createDeliveryParts({
    ...ports,
    timings,
    unconfirmed,
  })
  const worker = createDeliveryWorker({
    bus,
    readModel,
    pendingDeliveries,
    control: readModels.control,
    continuity: readModels.continuity,
    log: deps.eventStore,
    now,
    schedule,
    deliverDue,
    seenBatcher,
    endPushTokens: createEndPushTokens({ sessions, deviceReadModel, devices }),
    metrics: observability.metrics,
    logger,
    abort,
  })
  const { control, continuity } = readModels
  const distributor = createDistributor({
    bus: deps.bus,
    eventStore: deps.eventStore,
    readModel,
    control,
    continuity,
    logger,
  })

  const enrollmentNotices = createEnrollmentNotices({
    bus: deps.bus,
    eventStore: deps.eventStore,
    recipients: readModels.of(recipientProjection),
    clockAndIds,
    control,
    continuity,
    logger,
  })

  const { receiptTimeoutMs, maxRecipientsPerAppend } = timings
  const dueSends = createDueSends({
    readModel,
    sendHeld: createSendHeld({
      ...ports,
      eventStore: deps.eventStore,
      receipts,
      receiptTimeoutMs,
      maxRecipientsPerAppend,
    }),
    now: clockAndIds.now,
    logger,
  })

  return {
    start: async () => {
      await worker.start()
      await distributor.start()
      await enrollmentNotices.start()
      dueSends.start()
      // Reports from before this process delivered. Without them these users would wait for the timeout.
      for (const report of await seenSource.latest()) seenBatcher.seen(...report)
    },
    stop: async () => {
      await dueSends.stop()
      await enrollmentNotices.stop()
      await distributor.stop()
      await worker.stop()
      await stopPushing()
      await seenBatcher.stop()
    },
    seen: seenBatcher.seen,
  }
}
