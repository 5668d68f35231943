import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'

/** A repetition of a browser or a proxy can come this late. */
const laterMs = 8_000

const readMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A proxy in front of a portal that delivers each request which changes something three times: two at once, and one 8 s later. The
 * browser gets the first answer.
 */
export const deliverTwice = async (target: string) => {
  const { hostname, port } = new URL(target)
  const timers = new Set<NodeJS.Timeout>()
  const sockets = new Set<Socket>()

  const deliver = (asked: IncomingMessage, body: Buffer, answer?: ServerResponse): void => {
    const { method, url, headers } = asked
    const forwarded = request({ hostname, port, method, path: url, headers }, (answered) => {
      if (!answer) {
        answered.resume()
        return
      }
      answer.writeHead(answered.statusCode ?? 502, answered.headers)
      answered.pipe(answer)
    })
    // The portal stops before the last repetition.
    forwarded.on('error', () => answer?.destroy())
    answer?.on('close', () => forwarded.destroy())
    forwarded.end(body)
  }

  const server = createServer(async (asked, answer) => {
    const body = await buffer(asked)
    deliver(asked, body, answer)
    if (readMethods.has(asked.method ?? '')) return
    deliver(asked, body)
    const timer = setTimeout(() => {
      timers.delete(timer)
      deliver(asked, body)
    }, laterMs)
    timers.add(timer)
  })
  server.on('upgrade', (asked, socket: Socket, head) => {
    const upstream = connect(Number(port), hostname, () => {
      const lines = asked.rawHeaders.flatMap((name, index, all) =>
        index % 2 === 0 ? [`${name}: ${all[index + 1]}`] : [],
      )
      upstream.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      upstream.write(head)
      upstream.pipe(socket).pipe(upstream)
    })
    for (const end of [socket, upstream]) {
      sockets.add(end)
      end.on('error', () => [socket, upstream].forEach((one) => one.destroy()))
      end.on('close', () => sockets.delete(end))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server on a port has an AddressInfo.
  const { port: ownPort } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${ownPort}`,
    stop: (): void => {
      for (const timer of timers) clearTimeout(timer)
      for (const socket of sockets) socket.destroy()
      server.close()
      server.closeAllConnections()
    },
  }
}
