import { sessionEndedSchema, socketEvents, socketFeatures } from '@portal/contracts/notifications/socket'
import { io } from 'socket.io-client'
import { endSession } from '../../lib/session.ts'
import type { PortalSocket } from '../../lib/socket.ts'

/** Reports whether this tab is visible: the server counts a notification as seen only in a visible tab. */
const reportVisibility = (socket: PortalSocket) => {
  const report = () => {
    if (socket.connected) socket.emit(socketEvents.tabVisibility, { visible: document.visibilityState === 'visible' })
  }
  socket.on('connect', report)
  document.addEventListener('visibilitychange', report)
  return () => document.removeEventListener('visibilitychange', report)
}

/** Opens the socket of this tab. */
export const connectSocket = (token: string) => {
  const socket: PortalSocket = io(window.location.origin, {
    auth: { token, features: socketFeatures },
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: 500,
    reconnectionDelayMax: 5_000,
  })
  const stopReporting = reportVisibility(socket)
  socket.on('session:ended', (message) => {
    const reason = sessionEndedSchema.safeParse(message).data?.reason
    // A logout, in this tab or another one, does not return to the page after the next login.
    endSession(reason === 'logged-out' ? 'logged-out' : 'ended')
  })
  return {
    socket,
    close: () => {
      stopReporting()
      socket.disconnect()
    },
  }
}
