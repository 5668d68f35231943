import { buildAuth } from '@portal/auth/app'
import { authProjections, authPublishers } from '@portal/auth/projections'
import { sessionProjection } from '@portal/auth/session/projection'
import { buildCatalog } from '@portal/catalog/app'
import { catalogProjections, catalogPublishers } from '@portal/catalog/projections'
import { createConnections } from '@portal/gateway/sockets/connections'
import { createReceipts } from '@portal/gateway/sockets/receipts'
import { buildNotifications } from '@portal/notifications/app'
import { ledgerProjection } from '@portal/notifications/delivery/ledger-projection'
import { notificationsProjections, notificationsPublishers } from '@portal/notifications/projections'
import { defaultTimings } from '@portal/notifications/timings'
import type { Publisher } from '@portal/platform/bus/publisher'
import { makeBindRoute } from '@portal/platform/http/bind-route'
import { makeDenylist } from '@portal/platform/session/session-denylist'
import { openSessionRecord } from '@portal/platform/session/session-record'
import type { Projection } from '@portal/platform/projection/projection'
import type { Config } from '@portal/platform/settings/config'
import type { Service, ServiceDeps } from '@portal/platform/runtime/service'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { makeSessionVerifier } from '@portal/platform/session/session-tokens'
import type { Logger } from 'pino'
import type { Ports } from './open-ports.ts'

/** What the bus is made from, which is there before the services are. */
export const publishers: readonly Publisher[] = [...authPublishers, ...catalogPublishers, ...notificationsPublishers]
export const projections: readonly Projection[] = [
  ...authProjections,
  ...catalogProjections,
  ...notificationsProjections,
  ledgerProjection,
]

export type ServicesOptions = {
  readonly config: Config
  readonly ports: Ports
  readonly clockAndIds: ClockAndIds
  readonly logger: Logger
}

/** The contexts, and what the gateway and they hand each other: sessions one way, inboxes and receipts the others. */
export const buildServices = ({ config, ports, clockAndIds, logger }: ServicesOptions) => {
  const { eventStore, bus, readModels, vault, limiters, signingKeys, outbound, securityLog, observability } = ports
  const { publicOrigin } = config.http
  const sessions = makeSessionVerifier({
    signingKeys,
    now: clockAndIds.now,
    denylist: makeDenylist(readModels.of(sessionProjection)),
    record: openSessionRecord(eventStore),
  })
  const bind = makeBindRoute({ sessions, publicOrigin, validateResponses: config.environment === 'test' })
  const deps: ServiceDeps = {
    eventStore,
    readModels,
    bus,
    vault,
    clockAndIds,
    limiters,
    bind,
    logger,
    securityLog,
    observability,
  }

  const connections = createConnections()
  const receipts = createReceipts(connections)
  const catalog = buildCatalog(deps)
  // A list that cannot be read stops no registration.
  const universities = { has: (name: string) => catalog.hasUniversity(name).catch(() => undefined) }
  const auth = buildAuth({
    ...deps,
    universities,
    signingKeys,
    mail: outbound.mail,
    sms: outbound.sms,
    site: config.http,
    smsPerHour: config.smsPerHour,
    sessionLifetimeMs: config.sessionLifetimeMs,
  })
  const notifications = buildNotifications({
    ...deps,
    receipts,
    timings: {
      ...defaultTimings,
      graceMs: config.seenGraceMs,
      receiptTimeoutMs: config.sendWaitMs,
      pushMaxAgeMs: config.pushMaxAgeMs,
    },
    pushClient: config.pushClient,
    delivery: { push: outbound.push },
  })
  const services: readonly Service[] = [auth, catalog, notifications]
  return { sessions, bind, connections, receipts, auth, catalog, notifications, services }
}
export type Services = ReturnType<typeof buildServices>
