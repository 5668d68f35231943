import { type Envelope, eventTime } from '@portal/contracts/shared/event-envelope'
import type { Bus, Delivery } from '@portal/platform/bus/port'
import type { Continuity } from '@portal/platform/discontinuity/continuity'
import type { EventStore } from '@portal/platform/event-store/port'
import type { ActiveGeneration } from '@portal/platform/generations/active-generation'
import { runConsumer } from '@portal/platform/generations/run-consumer'
import { runProjection } from '@portal/platform/generations/run-projection'
import { watchProjection } from '@portal/platform/generations/watch-projection'
import type { Metrics } from '@portal/platform/observability/metrics/metrics'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import type { Logger } from 'pino'
import { notificationsEventOf } from '../bus-messages.ts'
import type { EndPushTokens } from '../device/devices.ts'
import { inboxProjection } from '../inbox/projection.ts'
import type { DeliverDue } from './deliver-due.ts'
import { pendingDeliveriesProjection } from './pending-deliveries.ts'
import type { DeliverySchedule } from './delivery-schedule.ts'
import type { SeenBatcher } from './seen-batcher.ts'
import type { Moment } from './send-times.ts'

/** Where the inbox projection applies a message, if it does at all. */
const inboxPartitionOf = (envelope: Envelope): string | undefined =>
  inboxProjection.topics.includes(envelope.topic) ? inboxProjection.partitionOf(envelope) : undefined

/**
 * The same bus, for a consumer that lets the inboxes go first: it takes up messages once the inbox projection has applied
 * them. So the ledger, which nobody waits for, does not share the processor with a send to 10,000 inboxes, and what
 * it lists has as a rule arrived. A projection that stands still holds it up for a moment only.
 */
export const afterInboxProjection = (bus: Bus, readModel: Pick<Checkpoints, 'whenApplied'>, timeoutMs: number): Bus => {
  const waitForInbox = async (deliveries: readonly Delivery[]): Promise<void> => {
    const last = deliveries.findLast(({ envelope }) => inboxPartitionOf(envelope) !== undefined)
    const partition = last && inboxPartitionOf(last.envelope)
    if (!last || partition === undefined) return
    const messagePosition = last.envelope.position
    await waitForProjection(readModel, { projection: inboxProjection, partition, messagePosition, timeoutMs })
  }
  return {
    ...bus,
    consume: (consumer) =>
      bus.consume({
        ...consumer,
        handle: async (deliveries) => {
          await waitForInbox(deliveries)
          await consumer.handle(deliveries)
        },
      }),
  }
}

/** When what is due could not be found out. */
const failedRetryMs = 2_000
/** How often the ledger is looked at again that has not caught up. */
const catchUpPollMs = 250
/** How long the ledger lets the inboxes go first. */
const inboxWaitMs = 250

type Deps = {
  readonly bus: Bus
  readonly readModel: Checkpoints
  readonly pendingDeliveries: ActiveGeneration
  /** For the cursors of what consumes without projecting. */
  readonly control: ActiveGeneration
  readonly continuity: Continuity
  readonly log: Pick<EventStore, 'holds'>
  readonly now: () => Moment
  readonly schedule: Pick<DeliverySchedule, 'arrived' | 'recheckAll' | 'nextAtMs' | 'onEarlier'>
  readonly deliverDue: DeliverDue
  readonly seenBatcher: Pick<SeenBatcher, 'recheck'>
  readonly endPushTokens: EndPushTokens
  readonly metrics: Metrics
  readonly logger: Logger
  /** Aborts when the worker is to stop. */
  readonly abort: AbortController
}

/**
 * The effects of the notifications context: settles what is due, and takes push tokens away when their session ends. It acts only
 * while the ledger has caught up with the log, as it was when this process took the lead: before, a delivery may look open whose
 * outcome is recorded further on. The same holds when the ledger is built anew or has to start over.
 */
export const createDeliveryWorker = (deps: Deps) => {
  const {
    bus,
    readModel,
    pendingDeliveries,
    control,
    continuity,
    log,
    now,
    schedule,
    deliverDue,
    seenBatcher,
    endPushTokens,
  } = deps
  const { metrics, logger, abort } = deps
  const { signal } = abort
  let wake = (): void => undefined
  /** In which subscription the ledger is complete; undefined while it is not. */
  let completeIn = (): AbortSignal | undefined => undefined
  /** Whether it has been since the last look at all that is open. */
  let isWatching = false

  const sleep = async (forMs: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, forMs)
    wake = resolve
    await promise
    clearTimeout(timer)
  }

  const round = async (subscription: AbortSignal): Promise<void> => {
    try {
      await deliverDue(() => completeIn() === subscription)
    } catch (error) {
      if (signal.aborted) return
      logger.error({ err: error }, 'due deliveries could not be read, trying again')
      await sleep(failedRetryMs)
    }
  }

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const subscription = completeIn()
      if (subscription === undefined) {
        isWatching = false
        await sleep(catchUpPollMs)
        continue
      }
      // Anything may have come in while it was not watching.
      if (!isWatching) schedule.recheckAll()
      isWatching = true
      const forMs = schedule.nextAtMs() - now().steadyMs
      if (forMs > 0) await sleep(forMs)
      else await round(subscription)
    }
  }

  /** How to stop what has been started. */
  const stops: (() => unknown)[] = []

  return {
    start: async (): Promise<void> => {
      schedule.onEarlier(() => wake())
      const projecting = await runProjection({
        projection: pendingDeliveriesProjection,
        bus: afterInboxProjection(bus, readModel, inboxWaitMs),
        readModel: pendingDeliveries,
        log,
        continuity,
        readsLogFirst: true,
        logger,
        onApplied: (bucket, envelope) => {
          if (envelope.type !== 'RecipientsTargeted') return
          const event = notificationsEventOf(envelope)
          if (event.type !== 'RecipientsTargeted') return
          const { text, userIds } = event.data
          const sent = { notificationId: text.notificationId, sentAt: eventTime(envelope) }
          seenBatcher.recheck(userIds)
          // What comes in before is found when it has caught up.
          if (isWatching) schedule.arrived(bucket, sent, now())
        },
      })
      stops.push(projecting.stop)
      completeIn = projecting.caughtUpIn
      // Another generation may hold open deliveries that this one lacked.
      stops.push(
        pendingDeliveries.onSwitch(() => {
          isWatching = false
          wake()
        }),
        watchProjection(metrics, pendingDeliveriesProjection.name, projecting, pendingDeliveries),
      )
      const loggingOut = await runConsumer({
        name: 'push-tokens-of-ended-sessions',
        topics: ['auth', 'notifications'],
        bus,
        readModel: control,
        legacyCursors: pendingDeliveries,
        continuity,
        logger,
        handle: endPushTokens,
      })
      stops.push(loggingOut.stop)
      const running = run()
      stops.push(() => running)
    },
    stop: async (): Promise<void> => {
      abort.abort()
      wake()
      await Promise.all(stops.splice(0).map((stop) => stop()))
    },
  }
}
