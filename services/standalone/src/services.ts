import { localUniversities } from '@portal/auth/registration/listed-universities'
import { type AuthPorts, authService, openAuthPorts } from '@portal/auth/service'
import { localContacts } from '@portal/catalog/enrollment/learner-contacts'
import { catalogService } from '@portal/catalog/service'
import { createConnections } from '@portal/gateway/sockets/connections'
import { createSeenCounter } from '@portal/gateway/sockets/seen-counter'
import { pendingDeliveriesProjection } from '@portal/notifications/delivery/pending-deliveries'
import { notificationsService } from '@portal/notifications/service'
import type { Publisher } from '@portal/platform/bus/publisher'
import type { Projection } from '@portal/platform/projection/projection'
import type { PushKeys } from '@portal/platform/outbound/web-push/push-keys'
import { openPushKeys, openServicePorts, openUnsubscribeKey } from '@portal/platform/runtime/open-ports'
import type { PortalProcess } from '@portal/platform/runtime/portal-process'
import type { ServiceHost } from '@portal/platform/runtime/service'

const definitions = [authService, catalogService, notificationsService] as const
export const publishers: readonly Publisher[] = definitions.flatMap((definition) => definition.publishers)
export const projections: readonly Projection[] = [
  ...definitions.flatMap((definition) => definition.projections),
  pendingDeliveriesProjection,
]

export type PortalPorts = ServiceHost & AuthPorts & { readonly pushKeys: PushKeys; readonly unsubscribeKey: Uint8Array }

/** Builds all services on the same ports, linked directly to each other. */
const buildServices = (ports: PortalPorts) => {
  const { outbound, pushKeys, signingKeys, unsubscribeKey } = ports
  const connections = createConnections()
  const seenCounter = createSeenCounter(connections)
  const notifications = notificationsService.build(ports, {
    seenCounter,
    pushKey: pushKeys.publicKey,
    delivery: outbound,
    unsubscribeKey,
  })
  const catalog = catalogService.build(ports, { contacts: localContacts(notifications.findContacts) })
  const universities = localUniversities(catalog.findUniversity)
  const auth = authService.build(ports, { outbound, signingKeys, universities })
  return { connections, seenCounter, auth, catalog, notifications, services: [auth, catalog, notifications] }
}
type Services = ReturnType<typeof buildServices>

/** Opens the ports of the whole portal and builds its services; starts nothing. */
export const openPortal = async (
  process: PortalProcess,
): Promise<{ readonly ports: PortalPorts; readonly built: Services }> => {
  const openOwn = async () => {
    const pushKeys = openPushKeys(process)
    return { ...(await openAuthPorts(process, pushKeys)), pushKeys, unsubscribeKey: openUnsubscribeKey(process) }
  }
  const ports = await openServicePorts(process, { projections, publishers, openOwn })
  return { ports, built: buildServices(ports) }
}
