import { pagePaths } from '@portal/contracts/shared/page-paths'
import { routeTable } from './calls/route-table.ts'

/** Matches the paths of these routes. */
export const matcherOf = (routes: readonly string[], flags = ''): RegExp => {
  const patterns = routes.map((route) => route.replaceAll('.', String.raw`\.`).replaceAll(/:\w+/g, '[^/]+'))
  return new RegExp(`^(?:${patterns.join('|')})$`, flags)
}

const reads = Object.values(routeTable)
  .flat()
  .filter(({ method }) => method === 'GET')
const isRead = matcherOf(reads.map(({ path }) => path))
// The router of the web client ignores case, and a slash at the end.
const isPage = matcherOf(
  pagePaths.map((path) => `${path}/?`),
  'i',
)

/** Whether a page has this path and no call does: then every client gets the page. */
export const isPageOnly = (path: string): boolean => isPage.test(path) && !isRead.test(path)
