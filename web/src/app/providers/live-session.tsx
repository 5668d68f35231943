import { lazy, Suspense, useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { Outlet, useNavigate } from 'react-router-dom'
import type { ArrivalPaths } from '../../features/notifications/inbox-connection.tsx'
import type { IsReadOrWithdrawn } from '../../features/notifications/read-or-withdrawn.ts'
import { isPushSupported, pushPermission } from '../../features/push/support.ts'
import { loadInBackground } from '../../lib/load-module.ts'
import { useSession } from '../../lib/session.ts'
import { SocketContext, type PortalSocket } from '../../lib/socket.ts'
import { whenIdle } from '../../lib/when-idle.ts'
import { ShortcutHelp } from '../shortcuts/shortcut-help.tsx'

type Connection = { readonly token: string; readonly socket: PortalSocket }

/** Opens one socket per session. Visitors have none, so the socket library is loaded only after a login. */
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
    open().catch((error: unknown) => console.error('The live connection could not be opened', error))
    return () => {
      closed = true
      close()
      setOpened(null)
    }
  }, [token])

  // When the session changes, the old socket is closed only after the new pages have rendered, so it is hidden from them here.
  const socket = opened?.token === token ? opened.socket : null
  return <SocketContext value={socket}>{children}</SocketContext>
}

/** Sets up push notifications for the session. Renders nothing and loads its code once the browser is idle. */
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
        () => undefined, // Starting failed: nothing to stop.
      )
    }
  }, [sessionToken])

  return null
}

/** Loaded lazily: visitors have no inbox, and the first screen does not need its changes. */
const InboxConnection = lazy(async () => {
  await whenIdle()
  const { InboxConnection: Connection } = await loadInBackground(
    () => import('../../features/notifications/inbox-connection.tsx'),
  )
  return { default: Connection }
})

const learnerPaths: ArrivalPaths = { one: (id) => `/notification/${id}`, all: '/notification' }
/** Admins get what they send to themselves, and see it as recipients do. They have no list of their inbox. */
const adminPaths: ArrivalPaths = { one: (id) => `/admin/notifications/${id}`, all: '/admin/notifications' }

/** Closes the notifications of the system that are left. */
const closePushes = async (isOver: IsReadOrWithdrawn): Promise<void> => {
  if (!isPushSupported() || pushPermission() !== 'granted') return
  const { closeShown } = await loadInBackground(() => import('../../features/push/close-shown.ts'))
  // A push without a tag is of no notification.
  await closeShown((tag) => tag !== '' && isOver(tag))
}

const onReadOrWithdrawn = (isOver: IsReadOrWithdrawn): void => {
  closePushes(isOver).catch((error: unknown) => console.warn('A push notification could not be closed', error))
}

/**
 * Runs the socket, the inbox and push for the whole session. It is mounted above all pages but the login and
 * registration forms, so that navigation does not restart it. A new session does.
 */
export const LiveSession = () => {
  const session = useSession()
  return (
    <SocketProvider token={session?.token ?? null}>
      <Outlet />
      {session && <ShortcutHelp />}
      {session && <PushSetup sessionToken={session.token} />}
      {session && (
        <Suspense fallback={null}>
          <InboxConnection
            key={session.token}
            paths={session.user.role === 'admin' ? adminPaths : learnerPaths}
            hasList={session.user.role !== 'admin'}
            onReadOrWithdrawn={onReadOrWithdrawn}
          />
        </Suspense>
      )}
    </SocketProvider>
  )
}
