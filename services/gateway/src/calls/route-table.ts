import * as auth from '@portal/contracts/auth/http'
import * as catalog from '@portal/contracts/catalog/http'
import * as heldSends from '@portal/contracts/notifications/held-send'
import * as notifications from '@portal/contracts/notifications/http'
import type { AnyRoute } from '@portal/contracts/shared/route'

export type ServiceName = 'auth' | 'catalog' | 'notifications'

/** Contract modules export schemas as well. */
const isRoute = (value: unknown): value is AnyRoute =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

const routesOf = (contracts: object): readonly AnyRoute[] => Object.values(contracts).filter(isRoute)

/** The routes of each service, derived from its contracts. */
export const routeTable: Readonly<Record<ServiceName, readonly AnyRoute[]>> = {
  auth: routesOf(auth),
  catalog: routesOf(catalog),
  notifications: [...routesOf(notifications), ...routesOf(heldSends)],
}
