import { peerSubjects } from '@portal/contracts/notifications/peers'
import { createInboxReader } from '@portal/notifications/inbox/inbox-reader'
import { inboxProjection } from '@portal/notifications/inbox/projection'
import { createTexts } from '@portal/notifications/inbox/texts'
import { createCampaignProgress } from '@portal/notifications/progress/campaign-progress'
import type { Peers } from '@portal/platform/peers/port'
import { openPeerAdapter } from '@portal/platform/peers/redis-adapter'
import { createPeers } from '@portal/platform/peers/socket-io'
import { openEdgePorts } from '@portal/platform/runtime/open-ports'
import { runProcess } from '@portal/platform/runtime/run-process'
import { runServices } from '@portal/platform/runtime/run-services'
import { requireServiceUrl } from '@portal/platform/runtime/startup-checks'
import type { Logger } from 'pino'
import { passCallsOn } from './calls/pass-on.ts'
import { watchServices } from './calls/watch-services.ts'
import { buildGateway } from './gateway.ts'
import { answerPeers } from './sockets/answer-peers.ts'
import { createConnections } from './sockets/connections.ts'
import { awaitedProjections, progressIn } from './sockets/progress.ts'
import { createReceipts } from './sockets/receipts.ts'
import { createSeenReports } from './sockets/seen-reports.ts'
import type { Sockets } from './sockets/socket-server.ts'

/** Seen notifications: reported by the sockets here, asked for and heard by the processes that send and deliver. */
const createPeerLinks = (logger: Logger) => {
  const connections = createConnections()
  const receipts = createReceipts(connections)
  let peers: Peers | undefined
  const seenReports = createSeenReports((seen) =>
    peers?.tell(
      peerSubjects.seen,
      seen.map(([userId, seq, epoch]) => [userId, seq, epoch]),
    ),
  )
  const joinPeers = ({ namespace }: Sockets) => {
    const joined = createPeers({ namespace, logger })
    peers = joined
    answerPeers(joined, { receipts, seenReports })
    return async (): Promise<void> => {
      seenReports.stop()
      await joined.close()
      await namespace.adapter.close()
    }
  }
  return { connections, receipts, seen: seenReports.seen, joinPeers }
}

/**
 * The gateway as a process: pages, sockets, and calls that it forwards. This file alone imports the notifications context: it reads
 * inboxes with that context's readers, as the standalone process hands them over.
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
    const edge = buildGateway(
      { ...process, ...ports },
      {
        ...createPeerLinks(logger),
        adapter,
        gateway: name,
        inbox: createInboxReader(inboxes, createTexts(inboxes)),
        progress: progressIn(ports.readModels, inboxProjection),
        campaigns: createCampaignProgress(inboxes),
        proxyCalls: (app) => passCallsOn(app, addresses),
      },
    )
    return runServices(process, ports, { services: [], edge })
  },
})
