import type { Logger } from 'pino'
import { TimeoutError, withTimeout } from '../async/timeout.ts'
import type { Bus } from '../bus/port.ts'
import { UnreadableEventError } from '../bus/unreadable-event.ts'
import { DiscontinuityError } from '../discontinuity/discontinuity-error.ts'
import type { EventStore } from '../event-store/port.ts'
import { watchProjection } from '../generations/watch-projection.ts'
import type { Observability } from '../observability/observability.ts'
import { runProjection, type RunningProjection } from '../generations/run-projection.ts'
import type { ReadModels } from '../generations/read-models.ts'
import type { Service } from './service.ts'
import type { StopStep } from './shutdown.ts'

/** What the services of a process run on. */
export type SharedPorts = {
  readonly bus: Bus
  readonly eventStore: Pick<EventStore, 'holds'>
  readonly readModels: ReadModels
  readonly observability: Observability
}

/**
 * How long the start waits for the projections. A read model that is built anew from a long log may take longer; then the
 * portal opens all the same, and inboxes fill up before its users' eyes.
 */
const catchUpTimeoutMs = 30_000

/** Starts projections and workers, and waits until what is in the log is in the read models. */
export const runServices = async (
  services: readonly Pick<Service, 'name' | 'projections' | 'start' | 'stop'>[],
  { bus, eventStore: log, readModels, observability }: SharedPorts,
  logger: Logger,
): Promise<readonly StopStep[]> => {
  const { continuity } = readModels
  const projections = await Promise.all(
    services
      .flatMap((service) => service.projections)
      .map(async (projection) => {
        const readModel = readModels.of(projection)
        const running = await runProjection({ projection, bus, readModel, log, continuity, logger })
        watchProjection(observability.metrics, projection.name, running, readModel)
        return running
      }),
  )
  await Promise.all(services.map((service) => service.start()))
  await untilCaughtUp(projections, logger)
  return [
    ...services.map(({ name, stop }) => ({ name, stop })),
    { name: 'projections', stop: async () => void (await Promise.all(projections.map((running) => running.stop()))) },
  ]
}

/** What stands still does not catch up by being waited for: the rest serves. */
const caughtUpOrStandsStill = async ({ caughtUp }: RunningProjection): Promise<void> => {
  try {
    await caughtUp
  } catch (error) {
    if (!(error instanceof DiscontinuityError || error instanceof UnreadableEventError)) throw error
  }
}

const untilCaughtUp = async (projections: readonly RunningProjection[], logger: Logger): Promise<void> => {
  try {
    await withTimeout(Promise.all(projections.map(caughtUpOrStandsStill)), catchUpTimeoutMs, 'catching up')
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error
    logger.warn({ timeoutMs: catchUpTimeoutMs }, 'The projections are still catching up; opening all the same')
  }
}
