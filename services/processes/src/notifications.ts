import { authPublishers } from '@portal/auth/projections'
import { catalogPublishers } from '@portal/catalog/projections'
import { createRemoteTestPush } from '@portal/notifications/device/test-push'
import { createRemoteHasMailServer } from '@portal/notifications/preferences/mail-server'
import { createRemoteSeenCounter } from '@portal/notifications/seen-reports'
import { notificationsService } from '@portal/notifications/service'
import { openPeers } from '@portal/platform/peers/redis-adapter'
import {
  openPushKeys,
  openRemoteSigningKeys,
  openServicePorts,
  openUnsubscribeKey,
} from '@portal/platform/runtime/open-ports'
import { runProcess } from '@portal/platform/runtime/run-process'
import { runServices } from '@portal/platform/runtime/run-services'

/** The notifications process: campaigns and inboxes. The delivery process pushes. */
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
