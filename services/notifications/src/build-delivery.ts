import { once } from 'node:events'
import { holdLease, type Lease } from '@portal/platform/bus/lease'
import { observeOutbound } from '@portal/platform/outbound/observe-outbound'
import { openOutbound, type Outbound } from '@portal/platform/outbound/open-outbound'
import type { PushSender } from '@portal/platform/outbound/port'
import type { Peers } from '@portal/platform/peers/port'
import { type DataPorts, openPushKeys, openUnsubscribeKey } from '@portal/platform/runtime/open-ports'
import type { PortalProcess } from '@portal/platform/runtime/portal-process'
import type { Service } from '@portal/platform/runtime/service'
import { buildAudience } from './build-audience.ts'
import { buildWorkers, type Workers } from './build-workers.ts'
import { onTestPushes } from './device/test-push.ts'
import { createRemoteSeenCounter, createRemoteSeenSource, onSeenReports } from './seen-reports.ts'
import { onMailServerQuestions } from './preferences/mail-server.ts'
import { createContentCache, readTextFromLog } from './inbox/content-cache.ts'
import { inboxProjection } from './inbox/projection.ts'
import { createUnconfirmedOutcomes } from './delivery/record-outcomes.ts'
import { timingsOf } from './timings.ts'
import { type Email, emailOf } from './unseen-mail/build-unseen-mail.ts'
import { createUnsubscribeTokens } from './unseen-mail/unsubscribe-token.ts'

/** Another process takes over this long after the last renewal. */
const deliveryLeaseMs = 5_000

type DeliveryPorts = {
  readonly push: PushSender
  readonly forgetMessages: Outbound['forget']
  readonly email: Email | undefined
}

/** Opens what only the process with delivery has: the way to the push provider and to the mail server. */
export const openDeliveryPorts = async (process: PortalProcess): Promise<DeliveryPorts> => {
  const { config, clockAndIds, logger, observability } = process
  const opened = openOutbound(config, { now: clockAndIds.now, logger, pushKeys: openPushKeys(process) })
  const outbound = process.closeOnStop('outbound', observeOutbound(opened, observability.metrics))
  for (const part of outbound.healthParts) process.addHealthPart(part)
  const unsubscribeTokens = createUnsubscribeTokens(openUnsubscribeKey(process))
  const email = emailOf(config, { mail: outbound.mail, unsubscribeTokens })
  return { push: outbound.push, forgetMessages: outbound.forget, email }
}

/**
 * Delivery for a portal whose sockets are in other processes. Only the leader delivers. If two overlap, devices
 * replace the duplicate push, and the first recorded outcome counts.
 */
export const buildDelivery = (ports: DataPorts & DeliveryPorts, { peers }: { readonly peers: Peers }): Service => {
  const { config, readModels, logger } = ports
  const timings = timingsOf(config)
  const seenSource = createRemoteSeenSource(peers, logger)
  const unconfirmed = createUnconfirmedOutcomes()
  const contentCache = createContentCache(readModels.of(inboxProjection), {
    fromLog: readTextFromLog(ports.eventStore),
    logger,
  })
  // Loads users only if a scheduled send has a rule.
  const audience = buildAudience({ readModels, vault: ports.vault, contentCache, logger })
  let delivering: Workers | undefined
  let lease: Lease | undefined

  const lead = async (signal: AbortSignal): Promise<void> => {
    const workers = buildWorkers({
      ...ports,
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
