import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { createHostRule, type HostRule, serviceNames } from '../http/allowed-hosts.ts'
import { createHttpApp } from '../http/create-app.ts'
import { trustedProxies } from '../http/client-address.ts'
import { serveMetrics } from '../http/serve-metrics.ts'
import { watchHealth } from '../observability/metrics/watch.ts'
import { listeningAt } from './listening-at.ts'
import { type Health, makeHealth } from '../observability/health.ts'
import type { PortalProcess } from './portal-process.ts'

export type ProcessApp = {
  readonly app: FastifyInstance
  /** Of all parts that the process has by now. */
  readonly health: Health
  readonly hosts: HostRule | undefined
}

/** The process's HTTP app, with its figures. Each process serves /health, too: a gateway beside its pages, the others as they are. */
export const createProcessApp = (
  { name, config, logger, securityLog, observability, parts, discontinuities }: PortalProcess,
  rewriteUrl?: (request: IncomingMessage) => string,
): ProcessApp => {
  const hosts = createHostRule({
    ...config.http,
    isTrusted: trustedProxies(config.http.trustProxy),
    ownNames: [name, ...serviceNames(config.services)],
  })
  const app = createHttpApp({
    logger,
    securityLog,
    trustProxy: config.http.trustProxy,
    hosts,
    publicOrigin: config.http.publicOrigin,
    observability,
    ...(rewriteUrl && { rewriteUrl }),
  })
  const { metrics } = observability
  const health = makeHealth(parts, logger, { discontinuities })
  serveMetrics(app, { metrics, token: config.metricsToken })
  watchHealth(metrics, health)
  return { app, health, hosts }
}

/** Opens the doors. Answers where. */
export const listen = async (process: PortalProcess, app: FastifyInstance): Promise<string> => {
  const { host, port } = process.config.http
  await app.listen({ host, port })
  process.atEnd({ name: 'http', stop: () => app.close() })
  return listeningAt(app.server, host)
}
