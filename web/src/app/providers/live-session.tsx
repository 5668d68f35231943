import { lazy, Suspense, useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { Outlet, useNavigate } from 'react-router-dom'
import { isPushSupported } from '../../features/push/support.ts'
import { loadInBackground } from '../../lib/load-module.ts'
import { useSession } from '../../lib/session.ts'
import { SocketContext, type PortalSocket } from '../../lib/socket.ts'

type Connection = { readonly token: string; readonly socket: PortalSocket }

/**
 * Keeps one connection open for as long as a session lasts; another session has another one. What that takes is loaded when
 * somebody is signed in.
 */
const SocketProvider = ({ token, children }: { token: string | null; children: ReactNode }) => {
  const [opened, setOpened] = useState<Connection | null>(null)

  useEffect(() => {
    if (token === null) return undefined
    let closed = false
    let close = () => {}
    const open = async () => {
      const { connectSocket } = await loadInBackground(() => import('./connect-socket.ts'))
      if (closed) return
      const connection = connectSocket(token)
      close = connection.close
      setOpened({ token, socket: connection.socket })
    }
    open().catch((error: unknown) => console.error('No live connection', error))
    return () => {
      closed = true
      close()
      setOpened(null)
    }
  }, [token])

  // When sessions change, the last one's connection is closed only after the pages of the next have been drawn.
  const socket = opened?.token === token ? opened.socket : null
  return <SocketContext value={socket}>{children}</SocketContext>
}

/** After the first screen, for which nothing of this is needed. */
const whenIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 2_000 })
    else setTimeout(resolve)
  })

/** Push notifications for as long as this session lasts. Shows nothing; loads its code once the page is at rest. */
const PushSetup = ({ sessionToken }: { sessionToken: string }) => {
  const navigate = useNavigate()
  const openPage = useEffectEvent((path: string, options?: { readonly replace: true }) => {
    void navigate(path, options)
  })

  useEffect(() => {
    if (!isPushSupported()) {
      console.info('This browser does not support push notifications')
      return undefined
    }
    const start = async () => {
      await whenIdle()
      const { startPush } = await loadInBackground(() => import('../../features/push/start-push.ts'))
      return startPush({ sessionToken, openPage: (path, options) => openPage(path, options) })
    }
    const started = start()
    started.catch((error: unknown) => console.warn('Push notifications are not available', error))
    return () => {
      started.then(
        (stop) => stop(),
        () => undefined, // It was never started.
      )
    }
  }, [sessionToken])

  return null
}

/** Visitors and admins have no inbox, and need none of its code. */
const InboxConnection = lazy(async () => {
  const { InboxConnection: Connection } = await loadInBackground(
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
