import type { ClientToServer, ServerToClient } from '@portal/contracts/notifications/socket'
import { createContext, useContext } from 'react'
import type { Socket } from 'socket.io-client'

export type PortalSocket = Socket<ServerToClient, ClientToServer>

/** The tab's connection, or null while there is none yet. Provided by src/app/providers/live-session.tsx. */
export const SocketContext = createContext<PortalSocket | null>(null)

export const useSocket = (): PortalSocket | null => useContext(SocketContext)

/** Calls `back` whenever the connection is there again: what was told while it was down is not repeated. */
export const onReconnect = (socket: PortalSocket, back: () => void): (() => void) => {
  let wasDown = false
  const onDisconnect = () => {
    wasDown = true
  }
  const onConnect = () => {
    if (wasDown) back()
    wasDown = false
  }
  socket.on('disconnect', onDisconnect)
  socket.on('connect', onConnect)
  return () => {
    socket.off('disconnect', onDisconnect)
    socket.off('connect', onConnect)
  }
}
