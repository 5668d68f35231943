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
import { inboxProjection } from '../inbox/projection.ts'
import { createTexts, textFromLog } from '../inbox/texts.ts'
import type { NotificationTimings } from '../timings.ts'
import { createDecideDelivery } from './decide-delivery.ts'
import { createDeferrals, type DeferralReason, type Pauses } from './deferrals.ts'
import { createDeliverDue } from './deliver-due.ts'
import { ledgerProjection } from './ledger-projection.ts'
import { observeDelivery } from './observe-delivery.ts'
import { createOpenDeliveries } from './open-deliveries.ts'
import { type SeenSource, toldEverything } from './open-tabs.ts'
import { createPushDelivery } from './push-delivery.ts'
import { createPushBrake, createPushToUsers } from './push-to-users.ts'
import { createOutcomeRecorder, createRememberedOutcomes, type RememberedOutcomes } from './record-outcomes.ts'
import { createSeenBatcher } from './seen-batcher.ts'
import { createMoments, createSendTimes } from './send-times.ts'
import { createDeliveryWorker } from './worker.ts'

type Deps = {
  readonly eventStore: Pick<EventStore, 'append' | 'read' | 'check'>
  /** The inboxes. */
  readonly readModel: ReadStore & Checkpoints & ProjectionWriter
  readonly ledger: Pick<ReadStore, 'get' | 'range'> & Pick<Checkpoints, 'whenApplied'> & Pick<Maintenance, 'check'>
  readonly devices: Pick<Devices, 'tokensOf' | 'holders' | 'drop'>
  readonly push: Pick<PushSender, 'send'>
  readonly seenSource: Pick<SeenSource, 'upTo'>
  readonly timings: Pick<
    NotificationTimings,
    'graceMs' | 'gatherSeenMs' | 'pushRetryPauses' | 'pushRetryForMs' | 'pushMaxAgeMs'
  >
  /** Outlives the lead: what this process has pushed it does not push again when it leads once more. */
  readonly remembered: RememberedOutcomes
  readonly clockAndIds: Pick<ClockAndIds, 'now' | 'elapsedMs'>
  readonly logger: Logger
  readonly signal: AbortSignal
}

/** How soon, and how rarely, what cannot be settled yet is looked at again. */
const pausesOf = ({ pushRetryPauses }: Deps['timings']): Readonly<Record<DeferralReason, Pauses>> => ({
  'not-arrived': { firstMs: 250, mostMs: 10_000 },
  'not-in-ledger': { firstMs: 250, mostMs: 60_000 },
  'not-taken-over': pushRetryPauses,
  failed: { firstMs: 2_000, mostMs: 60_000 },
})

/** The parts of delivery, put together. What moves them is the worker. */
export const createDeliveryParts = (deps: Deps) => {
  const { eventStore, readModel, ledger, seenSource, timings, clockAndIds, logger } = deps
  const now = createMoments(clockAndIds)
  const times = createSendTimes(timings.graceMs)
  const deferrals = createDeferrals(pausesOf(timings))
  const brake = createPushBrake(clockAndIds.elapsedMs)
  const open = createOpenDeliveries({ ledger, times, deferrals })
  const seenBatcher = createSeenBatcher({ eventStore, readModel, open, gatherMs: timings.gatherSeenMs, logger })
  const { seenUpTo } = seenBatcher
  const decide = createDecideDelivery({
    ...deps,
    times,
    deferrals,
    seenUpTo,
    learnSeen: async (userIds) => seenBatcher.learn(await seenSource.upTo(userIds)),
    maxAgeMs: timings.pushMaxAgeMs,
  })
  const pushDelivery = createPushDelivery({
    ...deps,
    texts: createTexts(readModel, { fromLog: textFromLog(eventStore), logger }),
    pushToUsers: createPushToUsers({ ...deps, brake }),
    seenUpTo,
    times,
    deferrals,
    retryForMs: timings.pushRetryForMs,
    now,
  })
  const recorder = createOutcomeRecorder(eventStore, now)
  const due = createDeliverDue({ ...deps, recorder, open, deferrals, decide, pushDelivery, brake, now })
  return { now, open, seenBatcher, deliverDue: due.deliverDue, stopPushing: due.stop }
}

type DeliveryDeps = Omit<ServiceDeps, 'bind' | 'limiters' | 'securityLog'> & {
  readonly push: PushSender
  readonly timings: NotificationTimings
  /** Asked before anything is pushed, where the sockets are in other processes. */
  readonly seenSource?: SeenSource
  /** What this process has done before, where it delivers again after having lost the lead. */
  readonly remembered?: RememberedOutcomes
}

export type Delivery = {
  start(): Promise<void>
  stop(): Promise<void>
  /** A visible tab of the user has shown everything up to `seq`, in the numbering of `epoch`. */
  seen(userId: UserId, seq: number, epoch: string): void
}

/** What settles deliveries: live, pushed or not. The only part of the context that reaches push. */
export const buildDelivery = (deps: DeliveryDeps): Delivery => {
  const { readModels, vault, clockAndIds, timings, logger } = deps
  const {
    seenSource = toldEverything,
    remembered = createRememberedOutcomes(),
    observability = noObservability(),
  } = deps
  const { eventStore, bus, push } = observeDelivery(deps, observability)
  const readModel = readModels.of(inboxProjection)
  const ledger = readModels.of(ledgerProjection)
  const deviceReadModel = readModels.of(deviceProjection)
  const sessions = readModels.of(sessionsProjectionRef)
  const handle = createHandleDevice({ eventStore: deps.eventStore, clockAndIds })
  const devices = createDevices({ handle, readModel: deviceReadModel, sessions, vault })

  const abort = new AbortController()
  const ports = { eventStore, readModel, ledger, devices, push, seenSource, clockAndIds, logger, signal: abort.signal }
  const { now, open, seenBatcher, deliverDue, stopPushing } = createDeliveryParts({ ...ports, timings, remembered })
  const worker = createDeliveryWorker({
    bus,
    readModel,
    ledger,
    control: readModels.control,
    continuity: readModels.continuity,
    log: deps.eventStore,
    now,
    open,
    deliverDue,
    seenBatcher,
    endPushTokens: createEndPushTokens({ sessions, deviceReadModel, devices }),
    metrics: observability.metrics,
    logger,
    abort,
  })

  return {
    start: async () => {
      await worker.start()
      // What was told while nobody delivered. It only saves those users the wait until the deadline.
      for (const report of await seenSource.latest()) seenBatcher.seen(...report)
    },
    stop: async () => {
      await worker.stop()
      await stopPushing()
      await seenBatcher.stop()
    },
    seen: seenBatcher.seen,
  }
}
