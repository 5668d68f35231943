import { sessionEndedSchema, socketEvents } from '@portal/contracts/notifications/socket'
import { useEffect, useState, type ReactNode } from 'react'
import { endSession } from '../../lib/session.ts'
import { openSocket, SocketContext, type PortalSocket } from '../../lib/socket.ts'

/** Says whether this tab can be seen: the server counts a notification as seen only on a visible one. */
const tellVisibility = (socket: PortalSocket) => {
  const tell = () => {
    if (socket.connected) socket.emit(socketEvents.tabVisibility, { visible: document.visibilityState === 'visible' })
  }
  socket.on('connect', tell)
  document.addEventListener('visibilitychange', tell)
  return () => document.removeEventListener('visibilitychange', tell)
}

/** Keeps one connection open for as long as this session lasts. */
export const SocketProvider = ({ token, children }: { token: string; children: ReactNode }) => {
  const [socket, setSocket] = useState<PortalSocket | null>(null)

  useEffect(() => {
    let closed = false
    let close = () => {}
    const open = async () => {
      const opened = await openSocket(token)
      if (closed) return opened.disconnect()
      const forget = tellVisibility(opened)
      opened.on('session:ended', (message) => {
        const reason = sessionEndedSchema.safeParse(message).data?.reason
        // Logging out, in this tab or another one, is no reason to be asked back.
        endSession(reason === 'logged-out' ? 'logged-out' : 'ended')
      })
      close = () => {
        forget()
        opened.disconnect()
      }
      setSocket(opened)
      return undefined
    }
    open().catch((error: unknown) => console.error('No live connection', error))
    return () => {
      closed = true
      close()
      setSocket(null)
    }
  }, [token])

  return <SocketContext value={socket}>{children}</SocketContext>
}
