import { once } from 'node:events'
import { authPublishers } from '@portal/auth/projections'
import { catalogPublishers } from '@portal/catalog/projections'
import { holdLease, type Lease } from '@portal/platform/bus/lease'
import { observeOutbound } from '@portal/platform/outbound/observe-outbound'
import { openOutbound, type Outbound } from '@portal/platform/outbound/open-outbound'
import type { PushSender } from '@portal/platform/outbound/port'
import { openPeers } from '@portal/platform/peers/redis-adapter'
import type { Peers } from '@portal/platform/peers/port'
import { type DataPorts, openDataPorts, openPushKeys, openUnsubscribeKey } from '@portal/platform/runtime/open-ports'
import { runProcess } from '@portal/platform/runtime/run-process'
import { runServices } from '@portal/platform/runtime/run-services'
import type { Service } from '@portal/platform/runtime/service'
import { buildAudience } from './build-audience.ts'
import { buildWorkers, type Workers } from './build-workers.ts'
import { onTestPushes } from './device/test-push.ts'
import { pendingDeliveriesProjection } from './delivery/pending-deliveries.ts'
import { createRemoteSeenCounter, createRemoteSeenSource, onSeenReports } from './seen-reports.ts'
import { onMailServerQuestions } from './preferences/mail-server.ts'
import { createContentCache, readTextFromLog } from './inbox/content-cache.ts'
import { inboxProjection } from './inbox/projection.ts'
import { createUnconfirmedOutcomes } from './delivery/record-outcomes.ts'
import { notificationsProjections, notificationsPublishers } from './projections.ts'
import { timingsOf } from './timings.ts'
import { type Email, emailOf } from './unseen-mail/build-unseen-mail.ts'
import { createUnsubscribeTokens } from './unseen-mail/unsubscribe-token.ts'

/** Another process takes over this long after the last renewal. */
const deliveryLeaseMs = 5_000

type Links = {
  readonly push: PushSender
  readonly forgetMessages: Outbound['forget']
  readonly email: Email | undefined
  readonly peers: Peers
}

/**
 * Delivery for a portal whose sockets are in other processes. Only the leader delivers. If two overlap, devices
 * replace the duplicate push, and the first recorded outcome counts.
 */
const buildDeliveryService = (host: DataPorts, { peers, ...links }: Links): Service => {
  const { config, readModels, logger } = host
  const timings = timingsOf(config)
  const seenSource = createRemoteSeenSource(peers, logger)
  const unconfirmed = createUnconfirmedOutcomes()
  const contentCache = createContentCache(readModels.of(inboxProjection), {
    fromLog: readTextFromLog(host.eventStore),
    logger,
  })
  // Loads users only if a scheduled send has a rule.
  const audience = buildAudience({ readModels, vault: host.vault, contentCache, logger })
  let delivering: Workers | undefined
  let lease: Lease | undefined

  const lead = async (signal: AbortSignal): Promise<void> => {
    const workers = buildWorkers({
      ...host,
      ...links,
      timings,
      seenCounter: createRemoteSeenCounter(peers),
      seenSource,
      selectAudience: audience.selectAudience,
      unconfirmed,
    })
    delivering = workers
    try {
      await workers.start()
      if (!signal.aborted) await once(signal, 'abort')
    } finally {
      delivering = undefined
      await workers.stop()
    }
  }
  return {
    name: 'delivery',
    publishers: [],
    // The lease holder runs the pending-deliveries projection itself.
    projections: [],
    routes: () => undefined,
    start: async () => {
      onTestPushes(peers, () => delivering?.testPush)
      onMailServerQuestions(peers, config.outbound.smtpUrl !== undefined)
      onSeenReports(peers, (userId, seq, epoch) => delivering?.seen(userId, seq, epoch), logger)
      lease = holdLease({
        readModel: readModels.control,
        name: 'delivery',
        lengthMs: deliveryLeaseMs,
        logger,
        onLead: lead,
      })
    },
    stop: async () => {
      await lease?.stop()
      await audience.stop()
    },
  }
}

/** Runs delivery as a process, the only one that calls the push provider. It and auth send e-mails. */
await runProcess({
  service: 'delivery',
  topology: 'distributed',
  engines: ['eventStore', 'bus', 'readModel'],
  start: async (process) => {
    const { config, clockAndIds, logger, observability } = process
    const ports = await openDataPorts(process, {
      projections: [...notificationsProjections, pendingDeliveriesProjection],
      publishers: [...authPublishers, ...catalogPublishers, ...notificationsPublishers],
      openOwn: async () => {
        const opened = openOutbound(config, { now: clockAndIds.now, logger, pushKeys: openPushKeys(process) })
        const outbound = observeOutbound(opened, observability.metrics)
        for (const part of outbound.healthParts) process.addHealthPart(part)
        const unsubscribeTokens = createUnsubscribeTokens(openUnsubscribeKey(process))
        const email = emailOf(config, { mail: outbound.mail, unsubscribeTokens })
        return { ...process.closeOnStop('outbound', outbound), email }
      },
    })
    const peers = await process.open('peers', false, () => openPeers({ url: config.readModelUrl, logger }))
    const { push, forget: forgetMessages, email } = ports
    return runServices(process, ports, {
      services: [buildDeliveryService(ports, { push, forgetMessages, email, peers })],
    })
  },
})
