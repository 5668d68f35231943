import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** An address that a failover moves: connections made before it are closed, later ones lead to the next server. */
export const startProxy = async (port: number) => {
  const sockets = new Set<Socket>()
  let target = port
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port to be had')
  return {
    url: `redis://127.0.0.1:${address.port}`,
    /** Of connections that are made from now on; those that are there stay. */
    pointTo(next: number) {
      target = next
    },
    leadTo(next: number) {
      target = next
      for (const socket of sockets) socket.destroy()
    },
    /** Connections stay open with nothing going through, as those of a machine that vanished. */
    swallow() {
      for (const socket of sockets) socket.unpipe().resume()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
