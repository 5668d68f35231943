import type { ClientToServer, ServerToClient } from '@portal/contracts/notifications/socket'
import { createContext, useContext } from 'react'
import type { Socket } from 'socket.io-client'

export type PortalSocket = Socket<ServerToClient, ClientToServer>

/** Opens the one live connection of this tab. The client is loaded when somebody is signed in, not before. */
export const openSocket = async (token: string): Promise<PortalSocket> => {
  const { io } = await import('socket.io-client')
  return io(window.location.origin, {
    auth: { token },
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: 500,
    reconnectionDelayMax: 5_000,
  })
}

/** The tab's connection, or null while there is none yet. Provided by src/app/providers/socket-provider.tsx. */
export const SocketContext = createContext<PortalSocket | null>(null)

export const useSocket = (): PortalSocket | null => useContext(SocketContext)
