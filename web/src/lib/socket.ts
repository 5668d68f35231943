import type { ClientToServer, ServerToClient } from '@portal/contracts/notifications/socket'
import { createContext, useContext } from 'react'
import type { Socket } from 'socket.io-client'

export type PortalSocket = Socket<ServerToClient, ClientToServer>

/** The tab's connection, or null while there is none yet. Provided by src/app/providers/socket-provider.tsx. */
export const SocketContext = createContext<PortalSocket | null>(null)

export const useSocket = (): PortalSocket | null => useContext(SocketContext)
