import { authPublishers } from '@portal/auth/projections'
import { openPeers } from '@portal/platform/peers/open-peers'
import { bindFor, openProcessKeys, openServicePorts, verifySessions } from '@portal/platform/runtime/process-ports'
import { runProcess } from '@portal/platform/runtime/run-process'
import { runService } from '@portal/platform/runtime/run-service'
import { openSessionRecord } from '@portal/platform/session/session-record'
import { buildNotifications } from './app.ts'
import { createRemoteReceipts } from './delivery/remote-receipts.ts'
import { notificationsProjections, notificationsPublishers } from './projections.ts'
import { defaultTimings } from './timings.ts'

/** Sends and inboxes as a process. What is not seen in time is pushed by another one, delivery-main.ts. */
await runProcess({
  service: 'notifications',
  engines: ['eventStore', 'bus', 'readModel'],
  start: async (process) => {
    const { config, clockAndIds, logger, securityLog } = process
    const { vault, eventStore, readModels, bus, limiters } = await openServicePorts(process, notificationsProjections, [
      ...authPublishers,
      ...notificationsPublishers,
    ])
    const peers = await process.open('peers', false, () => openPeers({ url: config.readModelUrl, logger }))
    const keys = await openProcessKeys(process)
    const bind = bindFor(process, verifySessions(process, keys, readModels, openSessionRecord(eventStore)))
    const notifications = buildNotifications({
      eventStore,
      readModels,
      bus,
      vault,
      clockAndIds,
      limiters,
      bind,
      logger,
      securityLog,
      receipts: createRemoteReceipts(peers),
      timings: { ...defaultTimings, receiptTimeoutMs: config.sendWaitMs },
      pushClient: config.pushClient,
    })
    const ports = { eventStore, bus, readModels }
    const { address } = await runService(process, notifications, ports, { prepare: async () => undefined })
    return { address }
  },
})
