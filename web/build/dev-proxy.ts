import { allRoutes } from '@portal/contracts/route-table'
import { reservedPrefixes } from '@portal/contracts/shared/reserved-paths'
import type { ProxyOptions } from 'vite'

/** `/notifications/:id` and `/notifications` have the same first part. */
const firstParts = new Set(allRoutes.map(({ path }) => `/${path.split('/')[1]}`))

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
