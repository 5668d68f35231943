import { createInboxReader } from '@portal/notifications/inbox/inbox-reader'
import { inboxProjection } from '@portal/notifications/inbox/projection'
import { createContentCache } from '@portal/notifications/inbox/content-cache'
import { createCampaignProgress } from '@portal/notifications/campaign/progress'
import { openPeerAdapter } from '@portal/platform/peers/redis-adapter'
import { openEdgePorts } from '@portal/platform/runtime/open-ports'
import { runProcess } from '@portal/platform/runtime/run-process'
import { runServices } from '@portal/platform/runtime/run-services'
import { requireServiceUrl } from '@portal/platform/runtime/startup-checks'
import { proxyCalls, watchServices } from './calls/proxy.ts'
import { buildGateway } from './gateway.ts'
import { tokenOf } from './sockets/connections.ts'
import { createFillRemotely } from './sockets/fill-remotely.ts'
import { createPeerReporting } from './sockets/peer-reporting.ts'
import { awaitedProjections, progressIn } from './sockets/progress.ts'

/**
 * Runs the gateway as a process: pages, sockets and the proxy. Only this file may import the notifications context:
 * it injects that context's inbox readers, as the standalone process does.
 */
await runProcess({
  service: 'gateway',
  topology: 'distributed',
  engines: ['bus', 'readModel'],
  start: async (process) => {
    const { name, config, logger } = process
    const addresses = {
      auth: requireServiceUrl(config, 'auth'),
      catalog: requireServiceUrl(config, 'catalog'),
      notifications: requireServiceUrl(config, 'notifications'),
    }
    const ports = await openEdgePorts(process, awaitedProjections(inboxProjection))
    const { adapter } = await process.open('peers', false, () => openPeerAdapter({ url: config.readModelUrl, logger }))
    watchServices(process, addresses)
    const inboxes = ports.readModels.of(inboxProjection)
    const reporting = createPeerReporting(logger)
    const fillTexts = createFillRemotely({
      notificationsUrl: addresses.notifications,
      tokenOf: (userId) => tokenOf(reporting.connections.ofUser(userId)),
      logger,
    })
    const edge = buildGateway(
      { ...process, ...ports },
      {
        ...reporting,
        adapter,
        gateway: name,
        inbox: createInboxReader(inboxes, { contentCache: createContentCache(inboxes), fillTexts }),
        progress: progressIn(ports.readModels, inboxProjection),
        campaigns: createCampaignProgress(inboxes),
        proxyCalls: (app) => proxyCalls(app, addresses),
      },
    )
    return runServices(process, ports, { services: [], edge })
  },
})
