import type { UserId } from '@portal/contracts/shared/ids'
import { unobserved } from '@portal/platform/observability/observability'
import type { PushSender } from '@portal/platform/outbound/port'
import type { ReadModel } from '@portal/platform/read-model/port'
import type { ServiceDeps } from '@portal/platform/runtime/service'
import { createDevices } from '../device/devices.ts'
import { createHandleDevice } from '../device/handle.ts'
import { deviceProjection } from '../device/projection.ts'
import { inboxProjection } from '../inbox/projection.ts'
import { createTexts } from '../inbox/texts.ts'
import type { NotificationTimings } from '../timings.ts'
import { createDeliverDue } from './deliver-due.ts'
import { observeDelivery } from './observe-delivery.ts'
import { createOpenDeliveries } from './open-deliveries.ts'
import { createPushToUsers } from './push-to-users.ts'
import { type SeenSource, toldEverything } from './seen-source.ts'
import { createSeenWindow } from './seen-window.ts'
import { createDeliveryWorker } from './worker.ts'

type DeliveryDeps = Omit<ServiceDeps, 'bind'> & {
  /** A read model of its own, which no replay touches. Whoever shares it takes turns: one of them delivers at a time. */
  readonly ledger: ReadModel
  readonly push: PushSender
  readonly timings: NotificationTimings
  /** Asked before anything is pushed, where the sockets are in other processes. */
  readonly seenSource?: SeenSource
}

export type Delivery = {
  start(): Promise<void>
  stop(): Promise<void>
  /** A visible tab of the user has shown everything up to `seq`. */
  seen(userId: UserId, seq: number): void
}

/** What settles deliveries: live, pushed or not. The only part of the context that reaches push. */
export const buildDelivery = (deps: DeliveryDeps): Delivery => {
  const { readModels, ledger, vault, sources, timings, logger } = deps
  const { seenSource = toldEverything, observability = unobserved() } = deps
  const { eventStore, bus, push } = observeDelivery(deps, observability)
  const readModel = readModels.of(inboxProjection)
  const devices = createDevices({
    handle: createHandleDevice({ eventStore: deps.eventStore, sources }),
    readModel: readModels.of(deviceProjection),
    vault,
  })

  const abort = new AbortController()
  const open = createOpenDeliveries(ledger, timings.graceMs)
  const seenWindow = createSeenWindow({ eventStore, readModel, open, gatherMs: timings.gatherSeenMs, logger })
  const deliverDue = createDeliverDue({
    eventStore,
    readModel,
    ledger,
    open,
    texts: createTexts(readModel),
    devices,
    pushToUsers: createPushToUsers({ push, devices, retryPausesMs: timings.pushRetryPausesMs, logger }),
    seenUpTo: seenWindow.seenUpTo,
    learnSeen: async (userIds) => seenWindow.learn(await seenSource.upTo(userIds)),
    signal: abort.signal,
  })
  const worker = createDeliveryWorker({
    bus,
    readModel,
    ledger,
    sources,
    open,
    deliverDue,
    seenWindow,
    devices,
    metrics: observability.metrics,
    logger,
    abort,
  })

  return {
    start: async () => {
      await worker.start()
      // What was told while nobody delivered. It only saves those users the wait until the deadline.
      for (const [userId, seq] of await seenSource.latest()) seenWindow.seen(userId, seq)
    },
    stop: async () => {
      await worker.stop()
      await seenWindow.stop()
    },
    seen: seenWindow.seen,
  }
}
