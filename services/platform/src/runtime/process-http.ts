import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { createHttpApp } from '../http/create-app.ts'
import { serveMetrics } from '../observability/http/serve-metrics.ts'
import { watchHealth } from '../observability/metrics/watch.ts'
import { type Health, makeHealth } from './health.ts'
import type { PortalProcess } from './portal-process.ts'

export type ProcessApp = {
  readonly app: FastifyInstance
  /** Of all parts that the process has by now. */
  readonly health: Health
}

/** The process's HTTP app, with its figures. Each process serves /health, too: a gateway beside its pages, the others as they are. */
export const createProcessApp = (
  { config, logger, securityLog, observability, parts, discontinuities }: PortalProcess,
  rewriteUrl?: (request: IncomingMessage) => string,
): ProcessApp => {
  const app = createHttpApp({
    logger,
    securityLog,
    trustProxy: config.http.trustProxy,
    observability,
    ...(rewriteUrl && { rewriteUrl }),
  })
  const { metrics } = observability
  const health = makeHealth(parts, logger, { discontinuities })
  serveMetrics(app, { metrics, token: config.metricsToken })
  watchHealth(metrics, health)
  return { app, health }
}

/** Opens the doors. Answers where. */
export const listen = async (process: PortalProcess, app: FastifyInstance): Promise<string> => {
  const { host, port } = process.config.http
  await app.listen({ host, port })
  process.atEnd({ name: 'http', stop: () => app.close() })
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens without a port')
  return `http://localhost:${address.port}`
}
