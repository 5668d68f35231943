import { sessionEndedSchema, socketEvents } from '@portal/contracts/notifications/socket'
import { io } from 'socket.io-client'
import { endSession } from '../../lib/session.ts'
import type { PortalSocket } from '../../lib/socket.ts'

/** Says whether this tab can be seen: the server counts a notification as seen only on a visible one. */
const reportVisibility = (socket: PortalSocket) => {
  const tell = () => {
    if (socket.connected) socket.emit(socketEvents.tabVisibility, { visible: document.visibilityState === 'visible' })
  }
  socket.on('connect', tell)
  document.addEventListener('visibilitychange', tell)
  return () => document.removeEventListener('visibilitychange', tell)
}

/** Opens the one live connection of this tab. */
export const connectSocket = (token: string) => {
  const socket: PortalSocket = io(window.location.origin, {
    auth: { token },
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: 500,
    reconnectionDelayMax: 5_000,
  })
  const forget = reportVisibility(socket)
  socket.on('session:ended', (message) => {
    const reason = sessionEndedSchema.safeParse(message).data?.reason
    // Logging out, in this tab or another one, is no reason to be asked back.
    endSession(reason === 'logged-out' ? 'logged-out' : 'ended')
  })
  return {
    socket,
    close: () => {
      forget()
      socket.disconnect()
    },
  }
}
