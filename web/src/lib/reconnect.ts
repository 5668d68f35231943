import type { PortalSocket } from './socket.ts'

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
