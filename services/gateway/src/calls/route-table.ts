import * as accounts from '@portal/contracts/auth/accounts'
import * as auth from '@portal/contracts/auth/http'
import * as invitations from '@portal/contracts/auth/invitations'
import * as sessions from '@portal/contracts/auth/sessions'
import * as deletedPrograms from '@portal/contracts/catalog/deleted-programs'
import * as catalog from '@portal/contracts/catalog/http'
import * as audit from '@portal/contracts/notifications/audit'
import * as devices from '@portal/contracts/notifications/devices'
import * as heldSends from '@portal/contracts/notifications/held-send'
import * as notifications from '@portal/contracts/notifications/http'
import * as people from '@portal/contracts/notifications/people'
import * as preferences from '@portal/contracts/notifications/preferences'
import { routesOf, type AnyRoute } from '@portal/contracts/shared/route'

export type ServiceName = 'auth' | 'catalog' | 'notifications'

/** The routes of each service, derived from its contracts. */
export const routeTable: Readonly<Record<ServiceName, readonly AnyRoute[]>> = {
  auth: [auth, accounts, invitations, sessions].flatMap(routesOf),
  catalog: [...routesOf(catalog), ...routesOf(deletedPrograms)],
  notifications: [notifications, audit, heldSends, devices, people, preferences].flatMap(routesOf),
}
