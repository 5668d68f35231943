import * as auth from '@portal/contracts/auth/http'
import * as catalog from '@portal/contracts/catalog/http'
import * as notifications from '@portal/contracts/notifications/http'
import type { AnyRoute } from '@portal/contracts/shared/route'

/** The contracts' modules hold schemas, too. */
const isRoute = (value: unknown): value is AnyRoute =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

/** Every route of every contract. */
export const contractRoutes: readonly AnyRoute[] = [auth, catalog, notifications]
  .flatMap((contracts) => Object.values<unknown>(contracts))
  .filter(isRoute)

export const nameOf = ({ method, path }: AnyRoute): string => `${method} ${path}`
