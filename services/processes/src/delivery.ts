import { authPublishers } from '@portal/auth/projections'
import { catalogPublishers } from '@portal/catalog/projections'
import { buildDelivery, openDeliveryPorts } from '@portal/notifications/build-delivery'
import { pendingDeliveriesProjection } from '@portal/notifications/delivery/pending-deliveries'
import { notificationsProjections, notificationsPublishers } from '@portal/notifications/projections'
import { openPeers } from '@portal/platform/peers/redis-adapter'
import { openDataPorts } from '@portal/platform/runtime/open-ports'
import { runProcess } from '@portal/platform/runtime/run-process'
import { runServices } from '@portal/platform/runtime/run-services'

/** The delivery process, the only one that calls the push provider. It and auth send e-mails. */
await runProcess({
  service: 'delivery',
  topology: 'distributed',
  engines: ['eventStore', 'bus', 'readModel'],
  start: async (process) => {
    const { config, logger } = process
    const ports = await openDataPorts(process, {
      projections: [...notificationsProjections, pendingDeliveriesProjection],
      publishers: [...authPublishers, ...catalogPublishers, ...notificationsPublishers],
      openOwn: openDeliveryPorts,
    })
    const peers = await process.open('peers', false, () => openPeers({ url: config.readModelUrl, logger }))
    return runServices(process, ports, { services: [buildDelivery(ports, { peers })] })
  },
})
