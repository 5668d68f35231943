import { authPublishers } from '@portal/auth/projections'
import { observeOutbound } from '@portal/platform/outbound/observe-outbound'
import { openOutbound } from '@portal/platform/outbound/open-outbound'
import { openPeers } from '@portal/platform/peers/open-peers'
import { openDataPorts } from '@portal/platform/runtime/open-ports'
import { runProcess } from '@portal/platform/runtime/run-process'
import { runServices } from '@portal/platform/runtime/run-services'
import { buildDeliveryService } from './delivery/delivery-service.ts'
import { ledgerProjection } from './delivery/ledger-projection.ts'
import { notificationsProjections, notificationsPublishers } from './projections.ts'

/** Delivery as a process, the only one that reaches push. */
await runProcess({
  service: 'delivery',
  topology: 'distributed',
  engines: ['eventStore', 'bus', 'readModel'],
  start: async (process) => {
    const { config, clockAndIds, logger, observability } = process
    const ports = await openDataPorts(process, {
      projections: [...notificationsProjections, ledgerProjection],
      publishers: [...authPublishers, ...notificationsPublishers],
      openOwn: async () => {
        const outbound = observeOutbound(openOutbound(config, clockAndIds.now), observability.metrics)
        return process.keep('outbound', outbound)
      },
    })
    const peers = await process.open('peers', false, () => openPeers({ url: config.readModelUrl, logger }))
    const { push } = ports
    return runServices(process, ports, { services: [buildDeliveryService(ports, { push, peers })] })
  },
})
