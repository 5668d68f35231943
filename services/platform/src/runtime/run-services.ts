import { TimeoutError, withTimeout } from '../async/timeout.ts'
import { UnreadableEventError } from '../bus/unreadable-event.ts'
import { DiscontinuityError, wholeLog } from '../discontinuity/discontinuity.ts'
import type { EventStore } from '../event-store/port.ts'
import { createHostRule, serviceNames } from '../http/allowed-hosts.ts'
import { trustedProxies } from '../http/client-address.ts'
import { createHttpApp } from '../http/create-app.ts'
import { serveHealth, serveMetrics } from '../http/monitoring-routes.ts'
import { makeHealth } from '../observability/health.ts'
import { countPublished, watchDisk, watchHealth, watchLogPublisher } from '../observability/metrics/watch.ts'
import type { Projection } from '../projection/projection.ts'
import { runProjection, type RunningProjection } from '../generations/run-projection.ts'
import { watchProjection } from '../generations/watch-projection.ts'
import { listeningAt } from './listening-at.ts'
import type { PortalProcess } from './portal-process.ts'
import type { Edge, FirstAdmin, Service, ServiceHost } from './service.ts'

/**
 * How long a start waits for the projections by default. Rebuilding a read model from a long log can take longer: then the portal opens while the
 * projections catch up.
 */
const catchUpTimeoutMs = 30_000

/** A gateway has no event store, because its services neither publish nor project. */
type HostPorts = Pick<ServiceHost, 'bus' | 'readModels'> & { readonly eventStore?: EventStore }

/** Starts a log publisher per service. No effect if the bus is the log itself. */
const startLogPublishers = async (
  process: PortalProcess,
  { eventStore, readModels }: HostPorts,
  services: readonly Service[],
): Promise<void> => {
  if (eventStore === undefined) return
  const { adapters, config, logger, observability } = process
  const { control, continuity } = readModels
  for (const { name, publishers } of services) {
    if (publishers.length === 0) continue
    const publisher = await adapters.startLogPublisher(config.busUrl, {
      service: name,
      eventStore,
      publishers: countPublished(publishers, observability.metrics, name),
      control,
      discontinuity: {
        report: (found) => continuity.record({ ...found, consumer: wholeLog }),
        isOpen: () => continuity.discontinuityOf(`feed:${name}`) !== undefined,
      },
      logger,
    })
    if (!publisher) continue
    process.prependStopSteps({ name: `feed of ${name}`, stop: publisher.stop })
    watchLogPublisher(observability.metrics, name, publisher)
    // Not critical: requests succeed without it. Their changes become visible later.
    process.addHealthPart({ name: `feed-of-${name}`, isCritical: false, check: publisher.check })
  }
}

/** Waits for all starts, so that none is running after a failure, and rejects with the first error. */
const allStarted = async (starts: readonly Promise<unknown>[]): Promise<void> => {
  const outcomes = await Promise.allSettled(starts)
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

/** A halted projection does not catch up. The portal serves the others. */
const caughtUpOrHalted = async ({ caughtUp }: RunningProjection): Promise<void> => {
  try {
    await caughtUp
  } catch (error) {
    if (!(error instanceof DiscontinuityError || error instanceof UnreadableEventError)) throw error
  }
}

const waitForCatchUp = async (
  projections: readonly RunningProjection[],
  { logger }: PortalProcess,
  timeoutMs: number,
): Promise<void> => {
  try {
    await withTimeout(Promise.all(projections.map(caughtUpOrHalted)), timeoutMs, 'catching up')
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error
    logger.warn({ timeoutMs }, 'projections still catching up, opening anyway')
  }
}

/**
 * Starts the log publishers of built services, and adds the steps that stop the services. `start` runs projections and workers, and
 * resolves when the projections have caught up with the log, or after the timeout.
 */
export const hostServices = async (
  process: PortalProcess,
  ports: HostPorts,
  services: readonly Service[],
): Promise<{ start(timeoutMs?: number): Promise<void> }> => {
  const { eventStore: log, bus, readModels } = ports
  const { logger, observability } = process
  const running: RunningProjection[] = []
  await startLogPublishers(process, ports, services)
  process.prependStopSteps(...services.map(({ name, stop }) => ({ name, stop })), {
    name: 'projections',
    stop: async () => void (await Promise.all(running.map(({ stop }) => stop()))),
  })

  const startProjection = async (projection: Projection): Promise<void> => {
    const readModel = readModels.of(projection)
    const { continuity } = readModels
    const started = await runProjection({ projection, bus, readModel, log, continuity, logger })
    running.push(started)
    watchProjection(observability.metrics, projection.name, started, readModel)
  }
  return {
    start: async (timeoutMs = catchUpTimeoutMs) => {
      await allStarted(services.flatMap(({ projections }) => projections).map(startProjection))
      await allStarted(services.map((service) => service.start()))
      await waitForCatchUp(running, process, timeoutMs)
    },
  }
}

const openApp = async (process: PortalProcess, edge: Edge | undefined) => {
  const { name, topology, config, logger, securityLog, observability, parts, discontinuities } = process
  const { publicOrigin, trustProxy } = config.http
  const hosts = createHostRule({
    ...config.http,
    isTrusted: trustedProxies(trustProxy),
    ownNames: topology === 'standalone' ? [] : [name, ...serviceNames(config.services)],
  })
  const rewriteUrl = edge && { rewriteUrl: edge.rewriteUrl }
  const app = createHttpApp({ logger, securityLog, trustProxy, hosts, publicOrigin, observability, ...rewriteUrl })
  process.prependStopSteps({ name: 'http', stop: () => app.close() })
  const health = makeHealth(parts, logger, { discontinuities })
  const opened = await edge?.setUp(app, { health, hosts })
  if (edge === undefined) serveHealth(app, health)
  serveMetrics(app, { metrics: observability.metrics, token: config.metricsToken })
  watchHealth(observability.metrics, health)
  watchDisk(observability.metrics, process.config.dataDir)
  return { app, startEdge: async () => opened?.start() }
}

type Hosted = {
  readonly services: readonly Service[]
  readonly edge?: Edge
  /** Called after the services are prepared and before they start. */
  beforeStart?(): Promise<void>
}

export type Started = {
  /** `http://localhost:3000` */
  readonly address: string
  /** Set on the first start of a portal, until the password has been shown. */
  readonly firstAdmin?: FirstAdmin | undefined
}

/**
 * Runs services in this process: log publishers, routes, preparation, projections, workers and finally the port. If a step fails, the
 * caller runs the stop steps of the process.
 */
export const runServices = async (
  process: PortalProcess,
  ports: HostPorts,
  { services, edge, beforeStart }: Hosted,
): Promise<Started> => {
  const { host, port } = process.config.http
  const hosted = await hostServices(process, ports, services)
  const { app, startEdge } = await openApp(process, edge)
  for (const service of services) service.routes(app)
  await app.ready()
  const prepared = await Promise.all(services.map((service) => service.prepare?.()))
  await beforeStart?.()
  await startEdge()
  await hosted.start()
  await app.listen({ host, port })
  return { address: listeningAt(app.server, host), firstAdmin: prepared.find((admin) => admin !== undefined) }
}
