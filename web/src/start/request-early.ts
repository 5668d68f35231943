/**
 * Requests what the page shows first before any script or font. Over HTTP/1.1 the browser opens six connections, and the answer
 * would wait seconds for one of them. The build inlines this file into the head of index.html (build/index-html.tsx).
 */
type StoredSession = { readonly role: string; readonly token: string }

/**
 * The page itself checks the session (src/lib/session.ts), and uses the answers instead of requests of its own
 * (src/lib/early-answer.ts). One that failed is undefined or false.
 */
export type Early = {
  readonly session: StoredSession | undefined
  readonly answers: Readonly<Record<string, Promise<unknown>>>
}

declare global {
  var early: Early | undefined
}

const storedSession = (): StoredSession | undefined => {
  try {
    const token = localStorage.getItem('token')
    const user: unknown = JSON.parse(localStorage.getItem('user') ?? '0')
    if (token && typeof user === 'object' && user && 'role' in user && localStorage.getItem('isLoggedIn') === 'true')
      return { role: String(user.role), token }
  } catch (error) {
    console.debug('no early session', error)
  }
  return undefined
}

const session = storedSession()

const addresses: Readonly<Record<string, readonly string[]>> = {
  '/notification': ['/notifications?page=1&limit=10'],
  '/home': ['/user/my-programs', '/allprograms'],
}

const request = (token: string) => (address: string) => {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  // Read at once: an answer that nothing reads would occupy one of the connections.
  const answer = fetch(address, { headers }).then((response) => response.ok && response.json())
  // The page repeats a failed request, and reports it if it fails again.
  return [address, answer.catch(() => undefined)] as const
}

const { pathname, search } = location
const early = session && session.role !== 'admin' && !search && addresses[pathname]?.map(request(session.token))
// Hides what the build has rendered for visitors (index.html).
if (session) document.documentElement.dataset['signedIn'] = ''
globalThis.early = { session, answers: Object.fromEntries(early || []) }
