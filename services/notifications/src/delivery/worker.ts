import type { Bus } from '@portal/platform/bus/port'
import { watchProjection } from '@portal/platform/observability/metrics/watch'
import type { Metrics } from '@portal/platform/observability/metrics/metrics'
import { runConsumer } from '@portal/platform/projection/run-consumer'
import { runProjection } from '@portal/platform/projection/run-projection'
import type { ReadModel } from '@portal/platform/read-model/port'
import type { Sources } from '@portal/platform/runtime/sources'
import type { Logger } from 'pino'
import { authEventOf, notificationsEventOf } from '../bus-messages.ts'
import type { Devices } from '../device/devices.ts'
import { behindInbox } from './behind-inbox.ts'
import type { DeliverDue } from './deliver-due.ts'
import { ledgerProjection } from './ledger-projection.ts'
import type { OpenDeliveries } from './open-deliveries.ts'
import type { SeenWindow } from './seen-window.ts'

/** When something could not be done yet, or failed. */
const retryMs = 250
const failedRetryMs = 2_000
/** How long the ledger lets the inboxes go first. */
const inboxPatienceMs = 250
/** The longest sleep; a change of the machine's clock goes unnoticed for no longer. */
const longestSleepMs = 60_000

type Deps = {
  readonly bus: Bus
  readonly readModel: ReadModel
  readonly ledger: ReadModel
  readonly sources: Pick<Sources, 'now'>
  readonly open: OpenDeliveries
  readonly deliverDue: DeliverDue
  readonly seenWindow: Pick<SeenWindow, 'revisit'>
  readonly devices: Pick<Devices, 'endSession'>
  readonly metrics: Metrics
  readonly logger: Logger
  /** Aborts when the worker is to stop. */
  readonly abort: AbortController
}

/**
 * The effects of the notifications context: settles what is due, and takes push tokens away when their session ends. It acts only
 * when the ledger has caught up with the log: before, a delivery may look open whose outcome is recorded further on.
 */
export const createDeliveryWorker = (deps: Deps) => {
  const { bus, readModel, ledger, sources, open, deliverDue, seenWindow, devices, metrics, logger, abort } = deps
  const { signal } = abort
  /** When to look again. The earlier of what a round found and what has been sent since. */
  let nextAtMs = 0
  let wake = (): void => undefined

  const sleep = async (forMs: number): Promise<void> => {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(forMs, longestSleepMs))
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const lookAgainAt = (atMs: number): void => {
    if (atMs >= nextAtMs) return
    nextAtMs = atMs
    wake()
  }

  const round = async (nowMs: number): Promise<void> => {
    try {
      const { nextDueAtMs, settled, isUnfinished } = await deliverDue(nowMs)
      if (nextDueAtMs !== undefined) lookAgainAt(nextDueAtMs)
      if (isUnfinished) lookAgainAt(nowMs + retryMs)
      else if (settled > 0) lookAgainAt(nowMs)
    } catch (error) {
      if (!signal.aborted) logger.error({ err: error }, 'Deliveries could not be settled; trying again')
      lookAgainAt(nowMs + failedRetryMs)
    }
  }

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const nowMs = sources.now().getTime()
      if (nowMs < nextAtMs) await sleep(nextAtMs - nowMs)
      else {
        nextAtMs = Number.POSITIVE_INFINITY
        await round(nowMs)
      }
    }
  }

  let stopAll = async (): Promise<void> => undefined

  return {
    start: async (): Promise<void> => {
      const projecting = await runProjection({
        projection: ledgerProjection,
        bus: behindInbox(bus, readModel, inboxPatienceMs),
        readModel: ledger,
        logger,
        onApplied: (_bucket, envelope) => {
          if (envelope.type !== 'RecipientsTargeted') return
          const event = notificationsEventOf(envelope)
          if (event.type !== 'RecipientsTargeted') return
          seenWindow.revisit(event.data.userIds)
          lookAgainAt(open.dueAtMs({ sentAt: envelope.at }))
        },
      })
      const unwatch = watchProjection(metrics, ledgerProjection.name, projecting, ledger)
      const loggingOut = await runConsumer({
        name: 'push-tokens-of-ended-sessions',
        topics: ['auth'],
        bus,
        readModel: ledger,
        logger,
        handle: async (envelope) => {
          if (envelope.type !== 'SessionEnded') return
          const event = authEventOf(envelope)
          if (event.type === 'SessionEnded') await devices.endSession(event.data.userId, event.data.sessionId)
        },
      })
      // Rejects only when it is stopped before it has caught up.
      const running = projecting.caughtUp.then(run, () => undefined)
      stopAll = async () => {
        unwatch()
        abort.abort()
        wake()
        await Promise.all([running, projecting.stop(), loggingOut.stop()])
      }
    },
    stop: () => stopAll(),
  }
}
