import { isNeverPage } from '@portal/contracts/shared/addresses'
import { addRoute, cleanupOutdatedCaches, matchPrecache, precache, type PrecacheEntry } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'

/*
 * The service worker: the portal opens without a network. It caches the static files of one release, never API responses, which belong
 * to one user and are outdated the next moment.
 *
 * A new release's worker waits until no tab of the old one is open: it deletes the files that such a tab may still have to load.
 * Nothing is delayed by that, since the page itself comes from the server whenever there is a network.
 */

// The project's types are those of a page; a worker has other globals.
declare const self: {
  /** The static files of this release, listed by the build (build/service-worker.ts). */
  readonly precachedFiles: PrecacheEntry[]
  readonly clients: { claim(): Promise<void> }
  addEventListener(type: 'activate', listener: (event: { waitUntil(done: Promise<void>): void }) => void): void
}

/** A page that takes longer than this comes from the cache. */
const networkTimeoutMs = 5_000

precache(self.precachedFiles)
cleanupOutdatedCaches()
// The first visit has no tab of an older release, and must work offline without a reload.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

const cachedPage = async (): Promise<Response> => (await matchPrecache('/index.html')) ?? Response.error()

const after = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), ms))

/** The page from the server, or the cached one, which is the same for every address because it fetches its own data. */
const page = async (request: Request): Promise<Response> => {
  try {
    const answer = await Promise.race([fetch(request), after(networkTimeoutMs)])
    return answer && answer.status < 500 ? answer : await cachedPage()
  } catch (error) {
    console.info('no network, serving the cached page', error)
    return cachedPage()
  }
}

// Pages and API routes share addresses: only a navigation gets a page.
registerRoute(
  ({ request, url, sameOrigin }) => sameOrigin && request.mode === 'navigate' && !isNeverPage(url.pathname),
  ({ request }) => page(request),
)
addRoute({ directoryIndex: '', cleanURLs: false })
