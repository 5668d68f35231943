import { proxyCalls, watchServices } from '@portal/gateway/calls/proxy'
import { buildGateway } from '@portal/gateway/gateway'
import { tokenOf } from '@portal/gateway/sockets/connections'
import { createFillRemotely } from '@portal/gateway/sockets/fill-remotely'
import { createPeerReporting } from '@portal/gateway/sockets/peer-reporting'
import { awaitedProjections, progressIn } from '@portal/gateway/sockets/progress'
import { createInboxReader } from '@portal/notifications/inbox/inbox-reader'
import { inboxProjection } from '@portal/notifications/inbox/projection'
import { createContentCache } from '@portal/notifications/inbox/content-cache'
import { createCampaignProgress } from '@portal/notifications/campaign/progress'
import { openPeerAdapter } from '@portal/platform/peers/redis-adapter'
import { openEdgePorts } from '@portal/platform/runtime/open-ports'
import { runProcess } from '@portal/platform/runtime/run-process'
import { runServices } from '@portal/platform/runtime/run-services'
import { requireServiceUrl } from '@portal/platform/runtime/startup-checks'

/** A gateway process: pages, sockets and the proxy, with the inbox readers of the notifications. */
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
