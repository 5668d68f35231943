import { once } from 'node:events'
import { authPublishers } from '@portal/auth/projections'
import { holdLease } from '@portal/platform/bus/lease'
import { serveHealth } from '@portal/platform/http/health-route'
import { observeOutbound } from '@portal/platform/outbound/observe-outbound'
import { openOutbound } from '@portal/platform/outbound/open-outbound'
import { openPeers } from '@portal/platform/peers/open-peers'
import { createProcessApp, listen } from '@portal/platform/runtime/process-http'
import { openServicePorts } from '@portal/platform/runtime/process-ports'
import { runProcess } from '@portal/platform/runtime/run-process'
import { buildDelivery, type Delivery } from './delivery/build-delivery.ts'
import { ledgerProjection } from './delivery/ledger-projection.ts'
import { createRememberedOutcomes } from './delivery/remembered-outcomes.ts'
import { createRemoteSeen, hearSeen } from './delivery/remote-seen.ts'
import { notificationsProjections, notificationsPublishers } from './projections.ts'
import { defaultTimings } from './timings.ts'

/** How long after its last sign of life another process takes over. */
const leaseMs = 5_000

/**
 * Delivery as a process, the only one that reaches push. Of several, one delivers, and the others stand by: an overlap would push
 * twice what a device replaces by itself, and record outcomes of which the first counts.
 */
await runProcess({
  service: 'delivery',
  engines: ['eventStore', 'bus', 'readModel'],
  start: async (process) => {
    const { config, clockAndIds, logger, observability } = process
    const outbound = process.keep(
      'outbound',
      observeOutbound(openOutbound(config, clockAndIds.now), observability.metrics),
    )
    const projections = [...notificationsProjections, ledgerProjection]
    const { vault, eventStore, readModels, bus } = await openServicePorts(process, projections, [
      ...authPublishers,
      ...notificationsPublishers,
    ])
    const peers = await process.open('peers', false, () => openPeers({ url: config.readModelUrl, logger }))

    const remembered = createRememberedOutcomes()
    let delivering: Delivery | undefined
    hearSeen(peers, (userId, seq, epoch) => delivering?.seen(userId, seq, epoch), logger)
    const lease = holdLease({
      readModel: readModels.control,
      name: 'delivery',
      lengthMs: leaseMs,
      logger,
      onLead: async (signal) => {
        const delivery = buildDelivery({
          eventStore,
          readModels,
          bus,
          vault,
          clockAndIds,
          logger,
          observability,
          push: outbound.push,
          timings: { ...defaultTimings, graceMs: config.seenGraceMs, pushMaxAgeMs: config.pushMaxAgeMs },
          seenSource: createRemoteSeen(peers, logger),
          remembered,
        })
        delivering = delivery
        try {
          await delivery.start()
          if (!signal.aborted) await once(signal, 'abort')
        } finally {
          delivering = undefined
          await delivery.stop()
        }
      },
    })
    process.atEnd({ name: 'delivery', stop: lease.stop })

    const { app, health } = createProcessApp(process)
    serveHealth(app, health)
    return { address: await listen(process, app) }
  },
})
