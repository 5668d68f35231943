import * as accounts from './auth/accounts.ts'
import * as apiKeys from './auth/api-keys.ts'
import * as auth from './auth/http.ts'
import * as invitations from './auth/invitations.ts'
import * as passkeys from './auth/passkeys.ts'
import * as secondFactor from './auth/second-factor.ts'
import * as sessions from './auth/sessions.ts'
import * as deletedPrograms from './catalog/deleted-programs.ts'
import * as catalog from './catalog/http.ts'
import * as learnerInvitations from './catalog/learner-invitations.ts'
import * as learners from './catalog/learners.ts'
import * as audienceContacts from './notifications/audience-contacts.ts'
import * as audit from './notifications/audit.ts'
import * as devices from './notifications/devices.ts'
import * as drafts from './notifications/drafts.ts'
import * as heldSends from './notifications/held-send.ts'
import * as notifications from './notifications/http.ts'
import * as learnerList from './notifications/learners.ts'
import * as ownData from './notifications/own-data.ts'
import * as people from './notifications/people.ts'
import * as preferences from './notifications/preferences.ts'
import * as scheduledSends from './notifications/scheduled-send.ts'
import * as templates from './notifications/templates.ts'
import { routesOf, type AnyRoute } from './shared/route.ts'

export type ServiceName = 'auth' | 'catalog' | 'notifications'

/** The routes of each service, derived from its contracts. */
export const routeTable: Readonly<Record<ServiceName, readonly AnyRoute[]>> = {
  auth: [auth, accounts, apiKeys, invitations, passkeys, secondFactor, sessions].flatMap(routesOf),
  catalog: [catalog, deletedPrograms, learnerInvitations, learners].flatMap(routesOf),
  notifications: [
    notifications,
    audienceContacts,
    learnerList,
    audit,
    heldSends,
    drafts,
    templates,
    scheduledSends,
    devices,
    ownData,
    people,
    preferences,
  ].flatMap(routesOf),
}

/** Every route of the portal. */
export const allRoutes: readonly AnyRoute[] = Object.values(routeTable).flat()
