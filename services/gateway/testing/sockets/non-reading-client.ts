import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A masked (zero key) client text frame of up to 125 bytes. */
const frame = (text: string): Buffer => {
  const payload = Buffer.from(text)
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload])
}

/** A client that logs in and then never reads from its TCP connection. */
export const connectNonReading = async (address: string, token: string): Promise<Socket> => {
  const { hostname, port, host } = new URL(address)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(
    [
      'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
      `Host: ${host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`,
      '',
      '',
    ].join('\r\n'),
  )
  await once(socket, 'data')
  socket.pause()
  socket.write(frame(`40${JSON.stringify({ token })}`))
  return socket
}
