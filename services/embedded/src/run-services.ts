import { watchProjection } from '@portal/platform/observability/metrics/watch'
import { runProjection, type RunningProjection } from '@portal/platform/projection/run-projection'
import { DeadlineError, withDeadline } from '@portal/platform/runtime/deadline'
import type { StopStep } from '@portal/platform/runtime/shutdown'
import type { Service } from '@portal/platform/runtime/service'
import type { Logger } from 'pino'
import type { Ports } from './open-ports.ts'

/**
 * How long the start waits for the projections. A read model that is built anew from a long log may take longer; then the
 * portal opens all the same, and inboxes fill up before its users' eyes.
 */
const catchUpTimeoutMs = 30_000

/** Starts projections and workers, and waits until what is in the log is in the read models. */
export const runServices = async (
  services: readonly Service[],
  { bus, readModels, observability }: Pick<Ports, 'bus' | 'readModels' | 'observability'>,
  logger: Logger,
): Promise<readonly StopStep[]> => {
  const projections = await Promise.all(
    services
      .flatMap((service) => service.projections)
      .map(async (projection) => {
        const readModel = readModels.of(projection)
        const running = await runProjection({ projection, bus, readModel, logger })
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

const untilCaughtUp = async (projections: readonly RunningProjection[], logger: Logger): Promise<void> => {
  try {
    await withDeadline(Promise.all(projections.map(({ caughtUp }) => caughtUp)), catchUpTimeoutMs, 'catching up')
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error
    logger.warn({ timeoutMs: catchUpTimeoutMs }, 'The projections are still catching up; opening all the same')
  }
}
