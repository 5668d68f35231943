import type { ClientToServer, ServerToClient } from '@portal/contracts/notifications/socket'
import { createContext, useContext } from 'react'
import type { Socket } from 'socket.io-client'

export type PortalSocket = Socket<ServerToClient, ClientToServer>

/** The tab's connection, or null before the first one. Provided by src/app/providers/live-session.tsx. */
export const SocketContext = createContext<PortalSocket | null>(null)

export const useSocket = (): PortalSocket | null => useContext(SocketContext)

/** Calls `onBack` after each reconnect, because the server does not resend messages missed meanwhile. */
export const onReconnect = (socket: PortalSocket, onBack: () => void): (() => void) => {
  let wasDown = false
  const onDisconnect = () => {
    wasDown = true
  }
  const onConnect = () => {
    if (wasDown) onBack()
    wasDown = false
  }
  socket.on('disconnect', onDisconnect)
  socket.on('connect', onConnect)
  return () => {
    socket.off('disconnect', onDisconnect)
    socket.off('connect', onConnect)
  }
}
