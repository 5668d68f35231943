import type { Bus } from '../bus/port.ts'
import type { EventStore } from '../event-store/port.ts'
import { serveHealth } from '../http/health-route.ts'
import type { ReadModels } from '../generations/read-models.ts'
import type { FastifyInstance } from 'fastify'
import type { PortalProcess } from './portal-process.ts'
import { createProcessApp, listen } from './process-http.ts'
import { runServices } from './run-services.ts'
import type { Service } from './service.ts'
import { startFeeds } from './start-feeds.ts'

type ServicePorts = { readonly eventStore: EventStore; readonly bus: Bus; readonly readModels: ReadModels }

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
  const { config, logger, observability } = process
  const feeds = await startFeeds(config.busUrl, [service], { ...ports, observability }, logger)
  for (const part of feeds.parts) process.watch(part)
  process.atEnd(...feeds.stopping)
  const { app, health } = createProcessApp(process)
  serveHealth(app, health)
  more?.(app)
  service.routes(app)
  await app.ready()
  const prepared = await prepare()
  const running = await runServices([service], { ...ports, observability }, logger)
  process.atEnd(...running)
  return { address: await listen(process, app), prepared }
}
