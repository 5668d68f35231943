import { pagePaths } from '@portal/contracts/shared/page-paths'
import { routeTable } from '@portal/contracts/route-table'

/** Matches the paths of these routes. */
const matcherOf = (routes: readonly string[], flags = ''): RegExp => {
  const patterns = routes.map((route) => route.replaceAll('.', String.raw`\.`).replaceAll(/:\w+/g, '[^/]+'))
  return new RegExp(`^(?:${patterns.join('|')})$`, flags)
}

/** Matches like the router of the web client: it ignores case, and a slash at the end. */
export const pageMatcherOf = (paths: readonly string[]): RegExp =>
  matcherOf(
    paths.map((path) => `${path}/?`),
    'i',
  )

const reads = Object.values(routeTable)
  .flat()
  .filter(({ method }) => method === 'GET')
const isRead = matcherOf(reads.map(({ path }) => path))
const isPage = pageMatcherOf(pagePaths)

/** Whether a page has this path and no call does: then every client gets the page. */
export const isPageOnly = (path: string): boolean => isPage.test(path) && !isRead.test(path)
