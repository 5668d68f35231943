import { useEffect, useState, type ReactNode } from 'react'
import { SocketContext, type PortalSocket } from '../../lib/socket.ts'

/** Keeps one connection open for as long as this session lasts. What that takes is loaded when somebody is signed in. */
export const SocketProvider = ({ token, children }: { token: string; children: ReactNode }) => {
  const [socket, setSocket] = useState<PortalSocket | null>(null)

  useEffect(() => {
    let closed = false
    let close = () => {}
    const open = async () => {
      const { connectSocket } = await import('./connect-socket.ts')
      if (closed) return
      const connection = connectSocket(token)
      close = connection.close
      setSocket(connection.socket)
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
