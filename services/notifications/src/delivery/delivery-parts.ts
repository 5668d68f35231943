import type { EventStore } from '@portal/platform/event-store/port'
import type { PushSender } from '@portal/platform/outbound/port'
import type { Checkpoints, Maintenance, ProjectionWriter, ReadStore } from '@portal/platform/read-model/port'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { Logger } from 'pino'
import type { Devices } from '../device/devices.ts'
import { textFromLog } from '../inbox/text-from-log.ts'
import { createTexts } from '../inbox/texts.ts'
import type { NotificationTimings } from '../timings.ts'
import { createDecideDelivery } from './decide-delivery.ts'
import { createDeferrals, type DeferralReason, type Pauses } from './deferrals.ts'
import { createDeliverDue } from './deliver-due.ts'
import { createMoments } from './moment.ts'
import { createOpenDeliveries } from './open-deliveries.ts'
import { createOutcomeRecorder } from './outcome-recorder.ts'
import { createPushBrake } from './push-brake.ts'
import { createPushDelivery } from './push-delivery.ts'
import { createPushToUsers } from './push-to-users.ts'
import type { RememberedOutcomes } from './remembered-outcomes.ts'
import type { SeenSource } from './seen-source.ts'
import { createSeenWindow } from './seen-window.ts'
import { createSendTimes } from './send-times.ts'

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
  const { eventStore, readModel, ledger, devices, push, seenSource, timings, remembered } = deps
  const { clockAndIds, logger, signal } = deps
  const now = createMoments(clockAndIds)
  const times = createSendTimes(timings.graceMs)
  const deferrals = createDeferrals(pausesOf(timings))
  const brake = createPushBrake(clockAndIds.elapsedMs)
  const open = createOpenDeliveries({ ledger, times, deferrals })
  const seenWindow = createSeenWindow({ eventStore, readModel, open, gatherMs: timings.gatherSeenMs, logger })
  const { seenUpTo } = seenWindow
  const decide = createDecideDelivery({
    readModel,
    ledger,
    devices,
    times,
    deferrals,
    remembered,
    seenUpTo,
    learnSeen: async (userIds) => seenWindow.learn(await seenSource.upTo(userIds)),
    maxAgeMs: timings.pushMaxAgeMs,
  })
  const pushDelivery = createPushDelivery({
    texts: createTexts(readModel, { fromLog: textFromLog(eventStore), logger }),
    pushToUsers: createPushToUsers({ push, devices, brake, logger }),
    seenUpTo,
    times,
    deferrals,
    remembered,
    retryForMs: timings.pushRetryForMs,
    now,
    signal,
  })
  const due = createDeliverDue({
    eventStore,
    recorder: createOutcomeRecorder(eventStore, now),
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
  })
  return { now, open, seenWindow, deliverDue: due.deliverDue, stopPushing: due.stop }
}
