import { isNeverPage } from '@portal/contracts/shared/addresses'
import { addRoute, cleanupOutdatedCaches, matchPrecache, precache, type PrecacheEntry } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'

/*
 * The service worker: the portal opens without a network, too. It keeps the files of one release and nothing else. Calls are none of
 * its business, as what they answer belongs to whoever asked and is stale the next moment.
 *
 * A new release's worker waits until no tab of the old one is open: it would take away the files that those still have to load.
 * Nobody waits for it, since with a network the page itself always comes from the server.
 */

/** Of this release; put in by build/worker.ts. */
declare const SHELL_FILES: PrecacheEntry[]

// The project knows a page's globals, of which a worker has others.
declare const self: {
  readonly clients: { claim(): Promise<void> }
  addEventListener(type: 'activate', listener: (event: { waitUntil(done: Promise<void>): void }) => void): void
}

/** A network that takes longer than this to bring the page is none. */
const patienceMs = 5_000

precache(SHELL_FILES)
cleanupOutdatedCaches()
// The first visit has no tab of an older release, and should not need a reload before it survives offline.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

const keptPage = async (): Promise<Response> => (await matchPrecache('/index.html')) ?? Response.error()

const after = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), ms))

/** The server's page if there is a server. The kept one is the same for every address: what it shows, it asks for itself. */
const page = async (request: Request): Promise<Response> => {
  try {
    const answer = await Promise.race([fetch(request), after(patienceMs)])
    return answer && answer.status < 500 ? answer : await keptPage()
  } catch (error) {
    console.info('No network; the kept page is shown', error)
    return keptPage()
  }
}

// Pages and calls share their addresses: only a navigation is for a page.
registerRoute(
  ({ request, url, sameOrigin }) => sameOrigin && request.mode === 'navigate' && !isNeverPage(url.pathname),
  ({ request }) => page(request),
)
addRoute({ directoryIndex: '', cleanURLs: false })
