import { lazy, Suspense } from 'react'
import { Outlet } from 'react-router-dom'
import { loadPart } from '../../lib/load-part.ts'
import { useSession } from '../../lib/session.ts'
import { PushSetup } from './push-setup.tsx'
import { SocketProvider } from './socket-provider.tsx'

/** Visitors and admins have no inbox, and need none of its code. */
const InboxConnection = lazy(async () => {
  const { InboxConnection: Connection } = await loadPart(
    () => import('../../features/notifications/inbox-connection.tsx'),
  )
  return { default: Connection }
})

/**
 * What runs for as long as a session lasts, whichever page is open: the one connection, the learner's inbox, push. Stands above
 * all pages but the forms that begin a session, so that going from page to page leaves it alone; another session starts it anew.
 */
export const LiveSession = () => {
  const session = useSession()
  return (
    <SocketProvider token={session?.token ?? null}>
      <Outlet />
      {session && <PushSetup sessionToken={session.token} />}
      {session && session.user.role !== 'admin' && (
        <Suspense fallback={null}>
          <InboxConnection key={session.token} />
        </Suspense>
      )}
    </SocketProvider>
  )
}
