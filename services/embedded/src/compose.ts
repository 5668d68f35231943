import type { Server as HttpServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { startApplyingGrants } from '@portal/auth/admin-grant/grant-requests'
import type { FirstAdmin } from '@portal/auth/first-admin/ensure-first-admin'
import { newMailboxKey } from '@portal/gateway/dev-mailbox-access'
import { setUpEdge } from '@portal/gateway/edge'
import { pageOrCall } from '@portal/gateway/pages'
import { httpsRequirementOf } from '@portal/gateway/require-https'
import { defaultSocketLimits } from '@portal/gateway/sockets/limits'
import { progressIn } from '@portal/gateway/sockets/progress'
import { createSockets, type SocketDeps, type Sockets } from '@portal/gateway/sockets/socket-server'
import { inboxProjection } from '@portal/notifications/inbox/projection'
import { continuityWords } from '@portal/platform/discontinuity/continuity'
import { createHostRule } from '@portal/platform/http/allowed-hosts'
import { createHttpApp } from '@portal/platform/http/create-app'
import { trustedProxies } from '@portal/platform/http/client-address'
import { watchLastBackup } from '@portal/platform/backup/last-backup'
import { serveMetrics } from '@portal/platform/http/serve-metrics'
import { watchDiscontinuities, watchHealth, watchSockets } from '@portal/platform/observability/metrics/watch'
import { type Observability, unobserved } from '@portal/platform/observability/observability'
import { startRecordingFromSpool } from '@portal/platform/operations/record-from-spool'
import { outboxFileIn } from '@portal/platform/outbound/open-outbound'
import type { Config } from '@portal/platform/settings/config'
import { continuityPart, type HealthPart, makeHealth } from '@portal/platform/observability/health'
import { listeningAt } from '@portal/platform/runtime/listening-at'
import { runServices } from '@portal/platform/runtime/run-services'
import { startFeeds } from '@portal/platform/runtime/start-feeds'
import { stopInOrder, type StopStep } from '@portal/platform/runtime/shutdown'
import { type ClockAndIds, systemClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { serveSigningKeys } from '@portal/platform/session/signing-keys'
import type { Logger } from 'pino'
import { buildServices, projections, publishers, type Services, type ServicesOptions } from './build-services.ts'
import { type Filled, fillPortal, type FillRequest } from './fill/fill-portal.ts'
import { isEmptyPortal } from './fill/is-empty-portal.ts'
import { openPorts, type Ports } from './open-ports.ts'

export type PortalOptions = {
  readonly config: Config
  readonly logger: Logger
  readonly clockAndIds?: ClockAndIds
  readonly observability?: Observability
  /** What a portal that has nothing in it is filled with before it serves; not asked in production. */
  readonly offerSample?: () => Promise<FillRequest | undefined>
}

export type Portal = {
  /** `http://localhost:3000` */
  readonly address: string
  /** Where the development mailbox is, where it was asked for. */
  readonly mailboxAddress: string | undefined
  /** On the very first start, until it has been shown. */
  readonly firstAdmin: FirstAdmin | undefined
  /** There is nothing in it yet, and it is no portal in production. */
  readonly isEmpty: boolean
  /** What it was filled with at this start. */
  readonly filled: Filled | undefined
  /** One line for each consumer that stands still until it is rebuilt. */
  readonly discontinuities: readonly string[]
  /** First what lets work in, last what it is stored in. */
  readonly stopping: readonly StopStep[]
}

const webDir = fileURLToPath(new URL('../../../web/dist', import.meta.url))
const stepTimeoutMs = 5_000

/** The whole portal in this process. Resolves once it serves; when it cannot, everything is closed again. */
export const startPortal = async (options: PortalOptions): Promise<Portal> => {
  const { config, logger, clockAndIds = systemClockAndIds, observability = unobserved() } = options
  const ports = await openPorts({ config, publishers, projections, clockAndIds, logger, observability })
  const closing = [...ports.closing, { name: 'traces', stop: observability.tracing.close }]
  let stopping: readonly StopStep[] = closing
  try {
    const built = buildServices({ config, ports, clockAndIds, logger })
    const feeds = await startFeeds(config.busUrl, built.services, ports, logger)
    stopping = [...feeds.stopping, ...closing]
    const isTrusted = trustedProxies(config.http.trustProxy)
    const hosts = createHostRule({ ...config.http, isTrusted })
    const app = createHttpApp({
      logger,
      securityLog: ports.securityLog,
      trustProxy: config.http.trustProxy,
      hosts,
      publicOrigin: config.http.publicOrigin,
      rewriteUrl: pageOrCall(webDir),
      observability,
    })
    stopping = [{ name: 'http', stop: () => app.close() }, ...feeds.stopping, ...closing]
    const { continuity } = ports.readModels
    const discontinuities = () => continuityWords(continuity)
    const health = makeHealth([...healthParts(ports), ...feeds.parts], logger, { discontinuities })
    const mailbox = config.devMailbox ? { file: outboxFileIn(config.dataDir), key: newMailboxKey() } : undefined
    await setUpEdge(app, {
      webDir,
      health,
      registersForPush: config.pushClient !== undefined,
      https: httpsRequirementOf(config.http),
      docs: config.docs,
      mailbox,
    })
    const sockets = socketsOn(app.server, built, { config, ports, clockAndIds, logger, hosts, isTrusted })
    // Before the requests under way are waited for: answers that wait for open tabs then need not.
    app.addHook('preClose', sockets.stop)
    const { metrics } = observability
    serveMetrics(app, { metrics, token: config.metricsToken })
    watchHealth(metrics, health)
    watchDiscontinuities(metrics, continuity)
    watchLastBackup(metrics, ports.readModels.control)
    watchSockets(metrics, sockets.stats)
    serveSigningKeys(app, ports.signingKeys)
    for (const service of built.services) service.routes(app)
    await app.ready()

    const [firstAdmin] = await Promise.all([
      built.auth.ensureFirstAdmin(config.firstAdmin),
      built.catalog.ensureFirstUniversities(),
    ])
    const wasEmpty = config.environment !== 'production' && (await isEmptyPortal(ports.eventStore))
    const wanted = wasEmpty ? await options.offerSample?.() : undefined
    const filled = wanted && (await fillPortal(built, ports, wanted))
    await sockets.start()
    const running = await runServices(built.services, ports, logger)
    const operations = startRecordingFromSpool(config.dataDir, ports.eventStore, logger)
    const recording = { name: 'operations', stop: operations.stop }
    const { eventStore } = ports
    const grants = startApplyingGrants({ dataDir: config.dataDir, eventStore, now: clockAndIds.now, logger })
    const granting = { name: 'admin grants', stop: grants.stop }
    stopping = [
      { name: 'http', stop: () => app.close() },
      ...running,
      recording,
      granting,
      ...feeds.stopping,
      ...closing,
    ]
    await app.listen({ host: config.http.host, port: config.http.port })
    const address = listeningAt(app.server, config.http.host)
    return {
      address,
      mailboxAddress: mailbox && `${address}/dev/outbox/${mailbox.key}`,
      firstAdmin,
      isEmpty: wasEmpty && !filled,
      filled,
      discontinuities: discontinuities(),
      stopping,
    }
  } catch (error) {
    await stopInOrder(stopping, stepTimeoutMs, logger)
    throw error
  }
}

const healthParts = ({ eventStore, bus, readModels }: Ports): readonly HealthPart[] => [
  { name: 'event-store', isCritical: true, check: eventStore.check },
  { name: 'bus', isCritical: true, check: bus.check },
  { name: 'read-models', isCritical: true, check: readModels.check },
  continuityPart(readModels.continuity),
]

const socketsOn = (
  server: HttpServer,
  built: Services,
  options: ServicesOptions & Pick<SocketDeps, 'hosts' | 'isTrusted'>,
): Sockets => {
  const { config, ports, clockAndIds, logger, hosts, isTrusted = () => false } = options
  const { sessions, connections, receipts, notifications } = built
  return createSockets({
    server,
    bus: ports.bus,
    sessions,
    connections,
    receipts,
    inbox: notifications.inbox,
    progress: progressIn(ports.readModels, inboxProjection),
    campaigns: notifications.progress,
    seen: notifications.seen,
    limits: defaultSocketLimits,
    hosts,
    isTrusted,
    securityLog: ports.securityLog,
    publicOrigin: config.http.publicOrigin,
    now: clockAndIds.now,
    logger: logger.child({ service: 'gateway' }),
    tracing: ports.observability.tracing,
  })
}
