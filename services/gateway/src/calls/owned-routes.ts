import * as auth from '@portal/contracts/auth/http'
import * as catalog from '@portal/contracts/catalog/http'
import * as notifications from '@portal/contracts/notifications/http'
import type { AnyRoute } from '@portal/contracts/shared/route'

export type ServiceName = 'auth' | 'catalog' | 'notifications'

/** The contracts' modules hold schemas, too. */
const isRoute = (value: unknown): value is AnyRoute =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

const routesOf = (contracts: object): readonly AnyRoute[] => Object.values(contracts).filter(isRoute)

/** Who answers which call: the contracts say so by where a route stands. */
export const ownedRoutes: Readonly<Record<ServiceName, readonly AnyRoute[]>> = {
  auth: routesOf(auth),
  catalog: routesOf(catalog),
  notifications: routesOf(notifications),
}
