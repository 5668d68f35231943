import { authPublishers } from '@portal/auth/projections'
import { catalogPublishers } from '@portal/catalog/projections'
import { openPeers } from '@portal/platform/peers/redis-adapter'
import {
  openPushKeys,
  openRemoteSigningKeys,
  openServicePorts,
  openUnsubscribeKey,
} from '@portal/platform/runtime/open-ports'
import { runProcess } from '@portal/platform/runtime/run-process'
import { runServices } from '@portal/platform/runtime/run-services'
import { createRemoteTestPush } from './device/test-push.ts'
import { createRemoteHasMailServer } from './preferences/mail-server.ts'
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
      openOwn: async () => ({
        ...(await openRemoteSigningKeys(process)),
        pushKey: openPushKeys(process).publicKey,
        unsubscribeKey: openUnsubscribeKey(process),
      }),
    })
    const peers = await process.open('peers', false, () => openPeers({ url: config.readModelUrl, logger }))
    const links = {
      seenCounter: createRemoteSeenCounter(peers),
      pushKey: ports.pushKey,
      unsubscribeKey: ports.unsubscribeKey,
      testPush: createRemoteTestPush(peers),
      hasMailServer: createRemoteHasMailServer(peers),
    }
    return runServices(process, ports, { services: [build(ports, links)] })
  },
})
