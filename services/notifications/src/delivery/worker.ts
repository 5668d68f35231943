import { type Envelope, eventTime } from '@portal/contracts/shared/event-envelope'
import type { UserId } from '@portal/contracts/shared/ids'
import { wholeMs } from '@portal/platform/async/timers'
import type { Bus, Delivery } from '@portal/platform/bus/port'
import type { Continuity } from '@portal/platform/discontinuity/continuity'
import type { EventStore } from '@portal/platform/event-store/port'
import type { ActiveGeneration } from '@portal/platform/generations/active-generation'
import { runConsumer } from '@portal/platform/generations/run-consumer'
import { runProjection } from '@portal/platform/generations/run-projection'
import { watchProjection } from '@portal/platform/generations/watch-projection'
import type { Metrics } from '@portal/platform/observability/metrics/metrics'
import type { Projection } from '@portal/platform/projection/projection'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import type { Logger } from 'pino'
import { notificationsEventOf } from '../bus-messages.ts'
import type { EndPushTokens } from '../device/devices.ts'
import { inboxProjection } from '../inbox/projection.ts'
import { preferencesProjection } from '../preferences/projection.ts'
import type { Attempt } from './attempts.ts'
import type { DeliverDue } from './deliver-due.ts'
import type { DeliverPostponed } from './deliver-postponed.ts'
import { pendingDeliveriesProjection } from './pending-deliveries.ts'
import type { DeliverySchedule } from './delivery-schedule.ts'
import type { SeenBatcher } from './seen-batcher.ts'
import type { Moment } from './send-times.ts'

/** The partition in which the projection applies a message, if any. */
const partitionIn = (projection: Projection, envelope: Envelope): string | undefined =>
  projection.topics.includes(envelope.topic) ? projection.partitionOf(envelope) : undefined

/** The read models of the projections before the pending deliveries. */
type EarlierReadModels = Readonly<Record<'inbox' | 'preferences', Pick<Checkpoints, 'whenApplied'>>>

/**
 * Wraps the bus for a consumer that runs after the projections of inboxes and preferences: it handles messages once those have
 * applied them. So the pending deliveries do not compete with a campaign to 10,000 inboxes for CPU, what they
 * list has usually arrived, and changed preferences usually count. A halted projection delays it only briefly.
 */
export const afterEarlierProjections = (
  bus: Bus,
  { inbox, preferences }: EarlierReadModels,
  timeoutMs: number,
): Bus => {
  const waitFor = async (
    projection: Projection,
    readModel: Pick<Checkpoints, 'whenApplied'>,
    deliveries: readonly Delivery[],
  ): Promise<void> => {
    const last = deliveries.findLast(({ envelope }) => partitionIn(projection, envelope) !== undefined)
    const partition = last && partitionIn(projection, last.envelope)
    if (!last || partition === undefined) return
    const messagePosition = last.envelope.position
    await waitForProjection(readModel, { projection, partition, messagePosition, timeoutMs })
  }
  return {
    ...bus,
    consume: (consumer) =>
      bus.consume({
        ...consumer,
        handle: async (deliveries) => {
          await Promise.all([
            waitFor(inboxProjection, inbox, deliveries),
            waitFor(preferencesProjection, preferences, deliveries),
          ])
          await consumer.handle(deliveries)
        },
      }),
  }
}

/** Checked before a message is parsed. */
const noticedTypes: ReadonlySet<string> = new Set([
  'RecipientsTargeted',
  'RecipientsPostponed',
  'RecipientsResent',
  'DeliveryStopped',
  'NotificationRead',
  'AllNotificationsRead',
  'PreferencesChanged',
])

/** Pause after due deliveries could not be read. */
const failedRetryMs = 2_000
/** Poll interval while the projection catches up. */
const catchUpPollMs = 250
/** Maximum wait for the earlier projections. */
const earlierWaitMs = 250

type DeliveryWorkerDeps = {
  readonly bus: Bus
  readonly earlier: EarlierReadModels
  readonly pendingDeliveries: ActiveGeneration
  /** Stores the cursors of consumers without a projection. */
  readonly control: ActiveGeneration
  readonly continuity: Continuity
  readonly log: Pick<EventStore, 'holds'>
  readonly now: () => Moment
  readonly schedule: Pick<DeliverySchedule, 'arrived' | 'stopped' | 'recheck' | 'recheckAll' | 'nextAtMs' | 'onEarlier'>
  readonly deliverDue: DeliverDue
  readonly postponed: DeliverPostponed
  readonly seenBatcher: Pick<SeenBatcher, 'recheck'>
  readonly endPushTokens: EndPushTokens
  readonly metrics: Metrics
  readonly logger: Logger
  /** Aborted when the worker stops. */
  readonly abort: AbortController
}

/**
 * The side effects of the notifications context: settles due deliveries and removes push tokens of ended sessions.
 * It acts only while the pending deliveries have caught up with the log end at the time this process became leader.
 * Before that, a delivery whose outcome is recorded may still look pending. The same holds during a rebuild.
 */
export const createDeliveryWorker = (deps: DeliveryWorkerDeps) => {
  const {
    bus,
    earlier,
    pendingDeliveries,
    control,
    continuity,
    log,
    now,
    schedule,
    deliverDue,
    postponed,
    seenBatcher,
    endPushTokens,
  } = deps
  const { metrics, logger, abort } = deps
  const { signal } = abort
  /** The subscription in which the projection has caught up; undefined while it has not. */
  let completeIn = (): AbortSignal | undefined => undefined
  /** Whether it has been caught up since the last full check. */
  let isWatching = false

  /** Runs rounds when they are due, while the projection has caught up. */
  const createLoop = (
    { nextAtMs, deliver }: { nextAtMs(): number; deliver(mayAct: () => boolean): Promise<void> },
    onComplete: (isComplete: boolean) => void,
  ) => {
    let wake = (): void => undefined
    const sleep = async (forMs: number): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, wholeMs(forMs))
      wake = resolve
      await promise
      clearTimeout(timer)
    }

    const round = async (subscription: AbortSignal): Promise<void> => {
      try {
        await deliver(() => completeIn() === subscription)
      } catch (error) {
        if (signal.aborted) return
        logger.error({ err: error }, 'due deliveries could not be read, retrying')
        await sleep(failedRetryMs)
      }
    }

    return {
      wake: (): void => wake(),
      run: async (): Promise<void> => {
        while (!signal.aborted) {
          const subscription = completeIn()
          onComplete(subscription !== undefined)
          if (subscription === undefined) {
            await sleep(catchUpPollMs)
            continue
          }
          const forMs = nextAtMs() - now().steadyMs
          if (forMs > 0) await sleep(forMs)
          else await round(subscription)
        }
      },
    }
  }

  const dueLoop = createLoop({ nextAtMs: schedule.nextAtMs, deliver: deliverDue }, (isComplete) => {
    // Campaigns may have arrived while the worker was not watching.
    if (isComplete && !isWatching) {
      schedule.recheckAll()
      postponed.recheckAll()
    }
    isWatching = isComplete
  })
  const postponedLoop = createLoop(postponed, () => undefined)
  const wakeAll = (): void => {
    dueLoop.wake()
    postponedLoop.wake()
  }

  /** Recipients are pending, or pending again. Campaigns from before this process watched are found by the full check. */
  const noticeArrival = (
    bucket: string,
    { userIds, ...sent }: Attempt & { readonly sentAt: string; readonly userIds: readonly UserId[] },
  ): void => {
    seenBatcher.recheck(userIds)
    if (isWatching) schedule.arrived(bucket, sent, now())
  }

  /** Called after a message was applied to the pending deliveries. */
  const notice = (bucket: string, envelope: Envelope): void => {
    // What waited for the user is cancelled now. The key of the message is the bucket.
    if (envelope.type === 'UserDeactivated') return schedule.recheck(envelope.key, now())
    if (!noticedTypes.has(envelope.type)) return
    const event = notificationsEventOf(envelope)
    const sentAt = eventTime(envelope)
    if (event.type === 'RecipientsTargeted') {
      const { text, userIds } = event.data
      noticeArrival(bucket, { notificationId: text.notificationId, attempt: 1, sentAt, userIds })
    } else if (event.type === 'RecipientsResent') {
      const { notificationId, attempt, userIds } = event.data
      noticeArrival(bucket, { notificationId, attempt, sentAt, userIds })
    } else if (event.type === 'DeliveryStopped') schedule.stopped(bucket, event.data.notificationId, now())
    else if (event.type === 'RecipientsPostponed') postponed.postponed(bucket, event.data.until)
    // What waited for the user is decided again.
    else if (postponed.isWaiting(bucket)) schedule.recheck(bucket, now())
  }

  /** Stops everything that was started, in no particular order. */
  const stops: (() => unknown)[] = []

  return {
    start: async (): Promise<void> => {
      schedule.onEarlier(dueLoop.wake)
      postponed.onEarlier(postponedLoop.wake)
      const projecting = await runProjection({
        projection: pendingDeliveriesProjection,
        bus: afterEarlierProjections(bus, earlier, earlierWaitMs),
        readModel: pendingDeliveries,
        log,
        continuity,
        readsLogFirst: true,
        logger,
        onApplied: notice,
      })
      stops.push(projecting.stop)
      completeIn = projecting.caughtUpIn
      // Another generation may list deliveries that this one lacked.
      stops.push(
        pendingDeliveries.onSwitch(() => {
          isWatching = false
          wakeAll()
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
      const running = [dueLoop.run(), postponedLoop.run()]
      stops.push(() => Promise.all(running))
    },
    /** Whether the pending deliveries list everything up to the end of the log. */
    isCaughtUp: (): boolean => completeIn() !== undefined,
    stop: async (): Promise<void> => {
      abort.abort()
      wakeAll()
      await Promise.all(stops.splice(0).map((stop) => stop()))
    },
  }
}
