/**
 * Requests the newest notifications before any script or font. Over HTTP/1.1 the browser opens six connections, and the answer
 * would wait seconds for one of them. The build inlines this file into the head of index.html (build/shell/shell-in-page.ts).
 */
type StoredSession = { readonly role: string; readonly token: string }

/** What the shell of the page starts with. The page itself checks the session (src/lib/session.ts). */
export type Early = { readonly session: StoredSession | undefined; readonly inbox: Promise<Response> | undefined }

declare global {
  var early: Early | undefined
}

const storedSession = (): StoredSession | undefined => {
  try {
    const token = localStorage.getItem('token')
    if (localStorage.getItem('isLoggedIn') !== 'true' || !token) return undefined
    const user: unknown = JSON.parse(localStorage.getItem('user') ?? 'null')
    return typeof user === 'object' && user && 'role' in user ? { role: String(user.role), token } : undefined
  } catch (error) {
    console.debug('session not readable, starting as for a visitor', error)
    return undefined
  }
}

const session = storedSession()
const isInbox = session && session.role !== 'admin' && location.pathname === '/notification' && location.search === ''
const headers = { accept: 'application/json', authorization: `Bearer ${session?.token ?? ''}` }
globalThis.early = { session, inbox: isInbox ? fetch('/notifications?page=1&limit=10', { headers }) : undefined }
