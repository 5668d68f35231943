import { fileURLToPath } from 'node:url'
import { peerSubjects } from '@portal/contracts/notifications/peers'
import { createInboxReader } from '@portal/notifications/inbox/inbox-reader'
import { inboxProjection } from '@portal/notifications/inbox/projection'
import { createTexts } from '@portal/notifications/inbox/texts'
import { createCampaignProgress } from '@portal/notifications/progress/campaign-progress'
import { trustedProxies } from '@portal/platform/http/client-address'
import { watchSockets } from '@portal/platform/observability/metrics/watch'
import type { Peers } from '@portal/platform/peers/port'
import { openPeerAdapter } from '@portal/platform/peers/redis-adapter'
import { createPeers } from '@portal/platform/peers/socket-io'
import type { PortalProcess } from '@portal/platform/runtime/portal-process'
import { createProcessApp, listen, type ProcessApp } from '@portal/platform/runtime/process-http'
import {
  openProcessBus,
  openProcessKeys,
  openProcessReadModels,
  openProcessSessionRecord,
  verifySessions,
} from '@portal/platform/runtime/process-ports'
import { runProcess } from '@portal/platform/runtime/run-process'
import { requireServiceUrl } from '@portal/platform/runtime/shared-engines'
import { passCallsOn } from './calls/pass-on.ts'
import { watchServices } from './calls/watch-services.ts'
import { setUpEdge } from './edge.ts'
import { pageOrCall } from './pages.ts'
import { httpsRequirementOf } from './require-https.ts'
import { answerPeers } from './sockets/answer-peers.ts'
import { createConnections } from './sockets/connections.ts'
import { defaultSocketLimits } from './sockets/limits.ts'
import { awaitedProjections, progressIn } from './sockets/progress.ts'
import { createReceipts } from './sockets/receipts.ts'
import { createSeenReports } from './sockets/seen-reports.ts'
import { createSockets } from './sockets/socket-server.ts'

const webDir = fileURLToPath(new URL('../../../web/dist', import.meta.url))

/**
 * The edge as a process: pages, sockets, and calls that it passes on. This file alone may import the notifications context: it
 * reads inboxes by that context's own readers, as the process that hosts both hands them over.
 */
await runProcess({
  service: 'gateway',
  engines: ['bus', 'readModel'],
  start: async (process) => {
    const { config } = process
    const addresses = {
      auth: requireServiceUrl(config, 'auth'),
      catalog: requireServiceUrl(config, 'catalog'),
      notifications: requireServiceUrl(config, 'notifications'),
    }
    const ports = await openGatewayPorts(process)
    watchServices(process, addresses)
    const processApp = createProcessApp(process, pageOrCall(webDir))
    const { app, health } = processApp
    await setUpEdge(app, {
      webDir,
      health,
      registersForPush: config.pushClient !== undefined,
      https: httpsRequirementOf(config.http),
      docs: config.docs,
    })
    await passCallsOn(app, addresses)
    const sockets = openSockets(process, processApp, ports)
    // Before the requests under way are waited for: answers that wait for open tabs then need not.
    app.addHook('preClose', sockets.stop)
    watchSockets(process.observability.metrics, sockets.stats)
    await app.ready()
    await sockets.start()
    return { address: await listen(process, app) }
  },
})

async function openGatewayPorts(process: PortalProcess) {
  const { config, logger } = process
  const readModels = await openProcessReadModels(process, awaitedProjections(inboxProjection))
  const bus = await openProcessBus(process)
  const adapter = await process.open('peers', false, () => openPeerAdapter({ url: config.readModelUrl, logger }))
  const sessions = verifySessions(
    process,
    await openProcessKeys(process),
    readModels,
    openProcessSessionRecord(process),
  )
  return { readModels, bus, adapter, sessions }
}
type GatewayPorts = Awaited<ReturnType<typeof openGatewayPorts>>

function openSockets(process: PortalProcess, { app, hosts }: ProcessApp, ports: GatewayPorts) {
  const { config, name, clockAndIds, logger, securityLog, observability } = process
  const { readModels, bus, adapter, sessions } = ports
  const inboxes = readModels.of(inboxProjection)
  const connections = createConnections()
  const receipts = createReceipts(connections)
  const seenReports = createSeenReports((seen) =>
    peers.tell(
      peerSubjects.seen,
      seen.map(([userId, seq, epoch]) => [userId, seq, epoch]),
    ),
  )
  const sockets = createSockets({
    server: app.server,
    bus,
    sessions,
    connections,
    receipts,
    inbox: createInboxReader(inboxes, createTexts(inboxes)),
    progress: progressIn(readModels, inboxProjection),
    campaigns: createCampaignProgress(inboxes),
    seen: seenReports.seen,
    limits: defaultSocketLimits,
    publicOrigin: config.http.publicOrigin,
    hosts,
    isTrusted: trustedProxies(config.http.trustProxy),
    securityLog,
    adapter: adapter.adapter,
    gateway: name,
    now: clockAndIds.now,
    logger,
    tracing: observability.tracing,
  })
  const peers: Peers = createPeers({ namespace: sockets.namespace, logger })
  answerPeers(peers, { receipts, seenReports })
  return {
    ...sockets,
    stop: async () => {
      await sockets.stop()
      seenReports.stop()
      await peers.close()
      await sockets.namespace.adapter.close()
    },
  }
}
