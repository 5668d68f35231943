import type { UserId } from '@portal/contracts/shared/ids'
import { noObservability } from '@portal/platform/observability/observability'
import type { Outbound } from '@portal/platform/outbound/open-outbound'
import type { PushSender } from '@portal/platform/outbound/port'
import type { ServiceDeps } from '@portal/platform/runtime/service'
import { sessionsProjectionRef } from '@portal/platform/session/session-denylist'
import { audienceProjection } from './audience/projection.ts'
import type { SelectAudience } from './audience/select-audience.ts'
import { buildDelivery } from './delivery/build-delivery.ts'
import { observeDelivery } from './delivery/observe-delivery.ts'
import { pendingDeliveriesProjection } from './delivery/pending-deliveries.ts'
import { createUnconfirmedOutcomes, type UnconfirmedOutcomes } from './delivery/record-outcomes.ts'
import { createDeliveryWorker } from './delivery/worker.ts'
import { createDevices, createEndPushTokens, createHandleDevice } from './device/devices.ts'
import { deviceProjection } from './device/projection.ts'
import { createTestPush, type TestPush } from './device/test-push.ts'
import { createDistributor } from './distribution/distributor.ts'
import { createEnrollmentNotices } from './enrollment-notice/enrollment-notices.ts'
import { createDueHeld } from './held-send/due-held.ts'
import { createDueSends } from './held-send/due-sends.ts'
import { createSendHeld } from './held-send/send-held.ts'
import { inboxProjection } from './inbox/projection.ts'
import { createKnownRecipients } from './known-recipients/known-recipients.ts'
import { recipientProjection } from './known-recipients/projection.ts'
import { createFillTexts } from './placeholders/fill-texts.ts'
import { createRecipientValues } from './placeholders/recipient-values.ts'
import { createPreferencesReader } from './preferences/preferences-reader.ts'
import { preferencesProjection } from './preferences/projection.ts'
import { createCautiousClock } from './scheduled-send/cautious-clock.ts'
import { createDueScheduled } from './scheduled-send/due-scheduled.ts'
import { createSendScheduled } from './scheduled-send/send-scheduled.ts'
import { localSeenSource, type SeenCounter, type SeenSource } from './seen-reports.ts'
import type { NotificationTimings } from './timings.ts'
import { buildUnseenMail, type Email } from './unseen-mail/build-unseen-mail.ts'

type WorkersDeps = Omit<ServiceDeps, 'bind' | 'limiters' | 'securityLog'> & {
  readonly push: PushSender
  /** Removes messages about an erased person from a mailbox of this process alone. */
  readonly forgetMessages?: Outbound['forget'] | undefined
  /** Absent without a mail server. */
  readonly email?: Email | undefined
  readonly timings: NotificationTimings
  /** Queried before each push if the sockets are in other processes. */
  readonly seenSource?: SeenSource
  /** Counts the open devices for the answer to the sender. */
  readonly seenCounter: SeenCounter
  /** Selects the recipients of scheduled sends. */
  readonly selectAudience: SelectAudience
  /** Outcomes from an earlier term as leader in this process. */
  readonly unconfirmed?: UnconfirmedOutcomes
}

export type Workers = {
  start(): Promise<void>
  stop(): Promise<void>
  /** A visible tab of the user has shown everything up to `seq` in `epoch`. */
  seen(userId: UserId, seq: number, epoch: string): void
  readonly testPush: TestPush
}

/**
 * Builds what one process of a portal does in the background: it delivers, distributes planned campaigns, sends held and
 * scheduled ones when they are due, notifies of enrollments, and sends e-mails about what was not read. Only this part of the context calls the
 * push provider and the mail server.
 */
export const buildWorkers = (deps: WorkersDeps): Workers => {
  const { readModels, vault, clockAndIds, timings, seenCounter, logger } = deps
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
  const preferencesReadModel = readModels.of(preferencesProjection)
  const preferences = createPreferencesReader(preferencesReadModel)
  const devices = createDevices({ handle, readModel: deviceReadModel, sessions, vault })
  const audience = readModels.of(audienceProjection)
  const values = createRecipientValues({ audience, vault, logger })
  const fillTexts = createFillTexts({ values, logger })

  const abort = new AbortController()
  const ports = {
    eventStore,
    readModel,
    pendingDeliveries,
    devices,
    preferences,
    values,
    push,
    seenSource,
    clockAndIds,
    logger,
    signal: abort.signal,
  }
  const { now, schedule, seenBatcher, deliverDue, postponed, stopPushing } = buildDelivery({
    ...ports,
    timings,
    unconfirmed,
  })
  const worker = createDeliveryWorker({
    bus,
    earlier: { inbox: readModel, preferences: preferencesReadModel },
    pendingDeliveries,
    control: readModels.control,
    continuity: readModels.continuity,
    log: deps.eventStore,
    now,
    schedule,
    deliverDue,
    postponed,
    seenBatcher,
    endPushTokens: createEndPushTokens({ ...deps, sessions, deviceReadModel, devices }),
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

  const { seenTimeoutMs, maxRecipientsPerAppend } = timings
  const dueHeld = createDueHeld({
    readModel,
    sendHeld: createSendHeld({
      ...ports,
      eventStore: deps.eventStore,
      seenCounter,
      seenTimeoutMs,
      maxRecipientsPerAppend,
    }),
    now: clockAndIds.now,
    logger,
  })
  const sendScheduled = createSendScheduled({
    eventStore: deps.eventStore,
    recipients: createKnownRecipients(readModels.of(recipientProjection)),
    selectAudience: deps.selectAudience,
    clockAndIds,
    maxRecipientsPerAppend,
  })
  const nowMs = createCautiousClock(clockAndIds)
  const dueScheduled = createDueScheduled({ eventStore: deps.eventStore, readModel, sendScheduled, nowMs, logger })
  const dueSends = createDueSends({
    read: async () => [...(await dueHeld()), ...(await dueScheduled())],
    logger,
  })

  const unseenMail =
    deps.email &&
    buildUnseenMail({
      ...deps.email,
      eventStore: deps.eventStore,
      readModel,
      pendingDeliveries,
      isCaughtUp: worker.isCaughtUp,
      devices,
      audience,
      fillTexts,
      vault,
      afterMs: timings.emailUnseenAfterMs,
      now,
      logger,
    })

  return {
    start: async () => {
      await worker.start()
      await distributor.start()
      await enrollmentNotices.start()
      dueSends.start()
      unseenMail?.start()
      // Reports from before this process delivered. Without them these users would wait for the timeout.
      for (const report of await seenSource.latest()) seenBatcher.seen(...report)
    },
    stop: async () => {
      await unseenMail?.stop()
      await dueSends.stop()
      await enrollmentNotices.stop()
      await distributor.stop()
      await worker.stop()
      await stopPushing()
      await seenBatcher.stop()
    },
    seen: seenBatcher.seen,
    testPush: createTestPush({ push: deps.push, devices, fill: fillTexts.fillUnrecorded, logger }),
  }
}
