import type { Bus } from '../bus/port.ts'
import type { EventStore } from '../event-store/port.ts'
import { serveHealth } from '../http/health-route.ts'
import { countPublished, watchFeed } from '../observability/metrics/watch.ts'
import type { ReadModels } from '../read-model/read-models.ts'
import type { FastifyInstance } from 'fastify'
import type { PortalProcess } from './portal-process.ts'
import { createProcessApp, listen } from './process-http.ts'
import { runServices } from './run-services.ts'
import type { Service } from './service.ts'
import { startFeed } from './wire.ts'

type ServicePorts = { readonly eventStore: EventStore; readonly bus: Bus; readonly readModels: ReadModels }

/** Carries what the service records to the bus, where the bus is not the store's own tail. */
const feedBus = async (process: PortalProcess, service: Service, { eventStore, readModels }: ServicePorts) => {
  const { config, logger, observability } = process
  const feed = await startFeed(config.busUrl, {
    service: service.name,
    eventStore,
    publishers: countPublished(service.publishers, observability.metrics, service.name),
    readModel: readModels.control,
    logger,
  })
  if (!feed) return
  watchFeed(observability.metrics, service.name, feed)
  process.watch({ name: 'feed', isCritical: false, check: feed.check })
  process.atEnd({ name: 'feed', stop: feed.stop })
}

/**
 * Runs a service in a process of its own: feed, projections, workers, then HTTP. `prepare` is what has to be done before
 * the first request, and `more` are routes besides the service's own. Answers where it serves.
 */
export const runService = async <T>(
  process: PortalProcess,
  service: Service,
  ports: ServicePorts,
  { prepare, more }: { readonly prepare: () => Promise<T>; readonly more?: (app: FastifyInstance) => void },
): Promise<{ readonly address: string; readonly prepared: T }> => {
  await feedBus(process, service, ports)
  const { app, health } = createProcessApp(process)
  serveHealth(app, health)
  more?.(app)
  service.routes(app)
  await app.ready()
  const prepared = await prepare()
  const running = await runServices([service], { ...ports, observability: process.observability }, process.logger)
  process.atEnd(...running)
  return { address: await listen(process, app), prepared }
}
