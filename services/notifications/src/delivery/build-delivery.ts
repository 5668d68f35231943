import type { UserId } from '@portal/contracts/shared/ids'
import { unobserved } from '@portal/platform/observability/observability'
import type { PushSender } from '@portal/platform/outbound/port'
import type { ServiceDeps } from '@portal/platform/runtime/service'
import { sessionsProjectionRef } from '@portal/platform/session/session-denylist'
import { createDevices } from '../device/devices.ts'
import { createHandleDevice } from '../device/handle.ts'
import { deviceProjection } from '../device/projection.ts'
import { inboxProjection } from '../inbox/projection.ts'
import type { NotificationTimings } from '../timings.ts'
import { createDeliveryParts } from './delivery-parts.ts'
import { createEndPushTokens } from './end-push-tokens.ts'
import { ledgerProjection } from './ledger-projection.ts'
import { observeDelivery } from './observe-delivery.ts'
import { createRememberedOutcomes, type RememberedOutcomes } from './remembered-outcomes.ts'
import { type SeenSource, toldEverything } from './seen-source.ts'
import { createDeliveryWorker } from './worker.ts'

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
  const { seenSource = toldEverything, remembered = createRememberedOutcomes(), observability = unobserved() } = deps
  const { eventStore, bus, push } = observeDelivery(deps, observability)
  const readModel = readModels.of(inboxProjection)
  const ledger = readModels.of(ledgerProjection)
  const deviceReadModel = readModels.of(deviceProjection)
  const sessions = readModels.of(sessionsProjectionRef)
  const devices = createDevices({
    handle: createHandleDevice({ eventStore: deps.eventStore, clockAndIds }),
    readModel: deviceReadModel,
    sessions,
    vault,
  })

  const abort = new AbortController()
  const { signal } = abort
  const { now, open, seenWindow, deliverDue, stopPushing } = createDeliveryParts({
    eventStore,
    readModel,
    ledger,
    devices,
    push,
    seenSource,
    timings,
    remembered,
    clockAndIds,
    logger,
    signal,
  })
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
    seenWindow,
    endPushTokens: createEndPushTokens({ sessions, deviceReadModel, devices }),
    metrics: observability.metrics,
    logger,
    abort,
  })

  return {
    start: async () => {
      await worker.start()
      // What was told while nobody delivered. It only saves those users the wait until the deadline.
      for (const report of await seenSource.latest()) seenWindow.seen(...report)
    },
    stop: async () => {
      await worker.stop()
      await stopPushing()
      await seenWindow.stop()
    },
    seen: seenWindow.seen,
  }
}
