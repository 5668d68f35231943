import { useEffect, useState, type ReactNode } from 'react'
import { loadPart } from '../../lib/load-part.ts'
import { SocketContext, type PortalSocket } from '../../lib/socket.ts'

type Opened = { readonly token: string; readonly socket: PortalSocket }

/**
 * Keeps one connection open for as long as a session lasts; another session has another one. What that takes is loaded when
 * somebody is signed in.
 */
export const SocketProvider = ({ token, children }: { token: string | null; children: ReactNode }) => {
  const [opened, setOpened] = useState<Opened | null>(null)

  useEffect(() => {
    if (token === null) return undefined
    let closed = false
    let close = () => {}
    const open = async () => {
      const { connectSocket } = await loadPart(() => import('./connect-socket.ts'))
      if (closed) return
      const connection = connectSocket(token)
      close = connection.close
      setOpened({ token, socket: connection.socket })
    }
    open().catch((error: unknown) => console.error('No live connection', error))
    return () => {
      closed = true
      close()
      setOpened(null)
    }
  }, [token])

  // When sessions change, the last one's connection is closed only after the pages of the next have been drawn.
  const socket = opened?.token === token ? opened.socket : null
  return <SocketContext value={socket}>{children}</SocketContext>
}
