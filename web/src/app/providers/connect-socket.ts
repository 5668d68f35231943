import {
  sessionEndedSchema,
  socketEvents,
  socketFeatures,
  type SocketRejection,
} from '@portal/contracts/notifications/socket'
import { io } from 'socket.io-client'
import { currentSession, endSession } from '../../lib/session.ts'
import type { PortalSocket } from '../../lib/socket.ts'
import { keepSessionUsed } from './keep-session-used.ts'

/** Reports whether this tab is visible: the server counts a notification as seen only in a visible tab. */
const reportVisibility = (socket: PortalSocket) => {
  const report = () => {
    if (socket.connected) socket.emit(socketEvents.tabVisibility, { visible: document.visibilityState === 'visible' })
  }
  socket.on('connect', report)
  document.addEventListener('visibilitychange', report)
  return () => document.removeEventListener('visibilitychange', report)
}

/**
 * A page in the back/forward cache does not run, but its socket would stay open for a while, and the server would count the
 * tab as one that is shown.
 */
const closeWhileCached = (socket: PortalSocket) => {
  const leave = () => {
    socket.disconnect()
  }
  const comeBack = ({ persisted }: PageTransitionEvent) => {
    if (persisted) socket.connect()
  }
  window.addEventListener('pagehide', leave)
  window.addEventListener('pageshow', comeBack)
  return () => {
    window.removeEventListener('pagehide', leave)
    window.removeEventListener('pageshow', comeBack)
  }
}

const rejectionPauses = { firstMs: 1_000, maxMs: 30_000 } as const
const sessionIsOver: SocketRejection = 'unauthenticated'

/**
 * Connects again after the server has rejected the connection, because Socket.IO does so only after other failures. The
 * pauses grow and are random, so that the tabs of a service that comes back do not return together.
 */
const retryRejections = (socket: PortalSocket, token: string) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let pauseMs: number = rejectionPauses.firstMs
  socket.on('connect', () => {
    pauseMs = rejectionPauses.firstMs
  })
  socket.on('connect_error', ({ message }) => {
    const retriesByItself = socket.active
    if (retriesByItself) return
    if (message === sessionIsOver) {
      if (token === currentSession()?.token) endSession('ended')
      return
    }
    timer = setTimeout(() => socket.connect(), pauseMs * (0.5 + Math.random() / 2))
    pauseMs = Math.min(2 * pauseMs, rejectionPauses.maxMs)
  })
  return () => clearTimeout(timer)
}

/** Opens the socket of this tab, which is no use of the session. Somebody at the page is. */
export const connectSocket = (token: string) => {
  const socket: PortalSocket = io(window.location.origin, {
    auth: { token, features: socketFeatures },
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: 500,
    reconnectionDelayMax: 5_000,
  })
  const stopReporting = reportVisibility(socket)
  const stopRetrying = retryRejections(socket, token)
  const stopClosing = closeWhileCached(socket)
  const stopTelling = keepSessionUsed()
  socket.on('session:ended', (message) => {
    const reason = sessionEndedSchema.safeParse(message).data?.reason
    // A logout, in this tab or another one, does not return to the page after the next login.
    endSession(reason === 'logged-out' ? 'logged-out' : 'ended')
  })
  return {
    socket,
    close: () => {
      stopReporting()
      stopRetrying()
      stopClosing()
      stopTelling()
      socket.disconnect()
    },
  }
}
