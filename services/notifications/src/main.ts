import { authPublishers } from '@portal/auth/projections'
import { catalogPublishers } from '@portal/catalog/projections'
import { openPeers } from '@portal/platform/peers/redis-adapter'
import { openRemoteSigningKeys, openServicePorts } from '@portal/platform/runtime/open-ports'
import { runProcess } from '@portal/platform/runtime/run-process'
import { runServices } from '@portal/platform/runtime/run-services'
import { createRemoteSeenCounter } from './seen-reports.ts'
import { notificationsService } from './service.ts'

/** Runs campaigns and inboxes as a process. delivery-main.ts runs the pushes. */
await runProcess({
  service: 'notifications',
  topology: 'distributed',
  engines: ['eventStore', 'bus', 'readModel'],
  start: async (process) => {
    const { config, logger } = process
    const { projections, publishers, build } = notificationsService
    const ports = await openServicePorts(process, {
      projections,
      publishers: [...authPublishers, ...catalogPublishers, ...publishers],
      openOwn: openRemoteSigningKeys,
    })
    const peers = await process.open('peers', false, () => openPeers({ url: config.readModelUrl, logger }))
    return runServices(process, ports, { services: [build(ports, { seenCounter: createRemoteSeenCounter(peers) })] })
  },
})
