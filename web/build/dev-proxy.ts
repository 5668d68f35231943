import * as accounts from '@portal/contracts/auth/accounts'
import * as auth from '@portal/contracts/auth/http'
import * as invitations from '@portal/contracts/auth/invitations'
import * as deletedPrograms from '@portal/contracts/catalog/deleted-programs'
import * as catalog from '@portal/contracts/catalog/http'
import * as devices from '@portal/contracts/notifications/devices'
import * as heldSends from '@portal/contracts/notifications/held-send'
import * as notifications from '@portal/contracts/notifications/http'
import * as preferences from '@portal/contracts/notifications/preferences'
import { reservedPrefixes } from '@portal/contracts/shared/reserved-paths'
import { routesOf } from '@portal/contracts/shared/route'
import type { ProxyOptions } from 'vite'

const routes = [
  auth,
  accounts,
  invitations,
  catalog,
  deletedPrograms,
  heldSends,
  devices,
  notifications,
  preferences,
].flatMap(routesOf)
/** `/notifications/:id` and `/notifications` have the same first part. */
const firstParts = new Set(routes.map(({ path }) => `/${path.split('/')[1]}`))

/** Vite reads a key with a caret as a regular expression. */
const startsWithOneOf = (prefixes: Iterable<string>): string => `^(?:${[...prefixes].join('|')})(?:/|\\?|$)`

/** A navigation gets the page and every other request the API, as in the gateway. */
const pageForNavigations: ProxyOptions['bypass'] = ({ method, headers }) =>
  method === 'GET' && headers.accept?.includes('text/html') ? '/index.html' : undefined

/** In development, Vite serves the client and proxies everything else to the portal. */
export const devProxy = (portal: string): Record<string, ProxyOptions> => ({
  [startsWithOneOf(firstParts)]: { target: portal, bypass: pageForNavigations },
  [startsWithOneOf(reservedPrefixes)]: { target: portal, ws: true },
})
