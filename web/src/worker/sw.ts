import { isReservedPath } from '@portal/contracts/shared/reserved-paths'
import { addRoute, cleanupOutdatedCaches, precache, type PrecacheEntry, matchPrecache } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { NetworkOnly } from 'workbox-strategies'

/*
 * The service worker lets the portal open offline. It caches the static files of one release, never API responses, which belong to
 * one user and are soon outdated.
 *
 * The worker of a new release waits until all tabs of the old one are closed, because it deletes files that such a tab may still
 * load. This delays nothing: while online, the page itself always comes from the server.
 */

// The project uses the types of a page. A worker has other globals.
declare const self: {
  /** The static files of this release, listed by the build (build/service-worker.ts). */
  readonly precachedFiles: PrecacheEntry[]
  readonly clients: { claim(): Promise<void> }
  addEventListener(type: 'activate', listener: (event: { waitUntil(done: Promise<void>): void }) => void): void
  addEventListener(type: 'install', listener: (event: InstallEvent) => void): void
}
type Rule = { readonly condition: { readonly requestMethod: string }; readonly source: 'network' }
type InstallEvent = {
  waitUntil(done: Promise<void>): void
  /** Chromium only. */
  readonly addRoutes?: (rules: readonly Rule[]) => Promise<void>
}

// Such a request does not wait for this worker to start, and outlives a page that is closed meanwhile.
self.addEventListener('install', (event) => {
  const changes = ['POST', 'PUT', 'PATCH', 'DELETE'].map((requestMethod): Rule => ({
    condition: { requestMethod },
    source: 'network',
  }))
  if (event.addRoutes) event.waitUntil(event.addRoutes(changes))
})

precache(self.precachedFiles)
cleanupOutdatedCaches()
// Takes over the page of the first visit, so that it works offline without a reload.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

/** The page from the server, or the cached one. For every address it differs only in its head: it fetches its own data. */
const page = new NetworkOnly({
  networkTimeoutSeconds: 5,
  plugins: [
    {
      fetchDidSucceed: async ({ response }) => {
        if (response.status >= 500) throw new Error(`The server answered ${response.status}`)
        return response
      },
      handlerDidError: () => matchPrecache('/index.html'),
    },
  ],
})

// Pages and API routes share addresses. Only a navigation gets a page.
registerRoute(
  ({ request, url, sameOrigin }) => sameOrigin && request.mode === 'navigate' && !isReservedPath(url.pathname),
  page,
)
addRoute({ directoryIndex: '', cleanURLs: false })
