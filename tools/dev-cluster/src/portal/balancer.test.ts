import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { Server as SocketServer } from 'socket.io'
import { io, type Socket } from 'socket.io-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Balancer, createBalancer, type Gateway } from './balancer.ts'
import { createVirtualTimers } from '@portal/platform/testing/async/virtual-timers'
import { until } from '@portal/platform/testing/until'

const ackMs = 20_000

type FakeGateway = Gateway & { readonly server: Server; readonly sockets: SocketServer }

let gateways: FakeGateway[]
let balancer: Balancer
let port: number
let clients: Socket[]

/** Answers with its name and the request; its sockets send its name. */
const startGateway = async (name: string): Promise<FakeGateway> => {
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming)
    response.setHeader('x-gateway', name).setHeader('set-cookie', ['a=1', 'b=2'])
    response.end(JSON.stringify({ name, headers: incoming.headers, method: incoming.method, url: incoming.url, body }))
  })
  const sockets = new SocketServer(server)
  sockets.engine.generateId = () => `${name}.${randomUUID()}`
  sockets.on('connection', (socket) => socket.on('who', (answer: (name: string) => void) => answer(name)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { name, port: address.port, server, sockets }
}

const stopGateway = async ({ sockets, server }: FakeGateway): Promise<void> => {
  await sockets.close()
  server.closeAllConnections()
}

beforeEach(async () => {
  clients = []
  gateways = [await startGateway('gateway-1'), await startGateway('gateway-2')]
  balancer = createBalancer({ gateways, trustsProxies: false })
  port = await balancer.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  for (const client of clients) client.close()
  await Promise.all(gateways.map(stopGateway))
  await balancer.close()
})

type Answer = { readonly status: number | undefined; readonly incoming: IncomingMessage; readonly body: string }

const call = async (
  path: string,
  { body, headers = {}, method = 'GET' }: { body?: string; headers?: Record<string, string>; method?: string } = {},
): Promise<Answer> => {
  const outgoing = request({ port, host: '127.0.0.1', path, method, headers }).end(body)
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage] // what the event carries
  return { status: incoming.statusCode, incoming, body: await text(incoming) }
}
const echoOf = async (...given: Parameters<typeof call>) => JSON.parse((await call(...given)).body)

const connect = (transports: ('polling' | 'websocket')[]): Socket => {
  const client = io(`http://127.0.0.1:${port}`, { transports, forceNew: true, reconnectionDelay: 20 })
  clients.push(client)
  return client
}

describe('the balancer', () => {
  it('distributes requests in turn, and forwards requests and answers unchanged', async () => {
    const names = new Set<string>()
    for (let n = 0; n < 4; n++) {
      const headers = { 'content-type': 'application/json', host: 'portal.example', origin: 'http://portal.example' }
      const echo = await echoOf('/notifications/send?x=%C3%A9', { method: 'POST', body: '{"ü": 1}', headers })
      expect(echo).toMatchObject({ method: 'POST', url: '/notifications/send?x=%C3%A9', body: '{"ü": 1}', headers })
      names.add(echo.name)
    }
    expect([...names].toSorted()).toEqual(['gateway-1', 'gateway-2'])
    expect((await call('/')).incoming.headers['set-cookie']).toEqual(['a=1', 'b=2'])
  })

  it('sets the forwarding headers, and ignores those of the client', async () => {
    const claims = {
      'x-forwarded-for': '6.6.6.6',
      'x-forwarded-host': 'evil',
      'x-forwarded-proto': 'https',
      'x-request-id': 'chosen-by-caller',
    }
    const { headers } = await echoOf('/', { headers: { ...claims, host: 'portal.example' } })
    expect(headers).not.toHaveProperty('x-request-id')
    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'portal.example',
      'x-forwarded-proto': 'http',
    })
    const trusting = createBalancer({ gateways, trustsProxies: true })
    const before = port
    port = await trusting.listen({ host: '127.0.0.1', port: 0 })
    expect((await echoOf('/', { headers: claims })).headers).toMatchObject({
      'x-forwarded-for': '6.6.6.6, 127.0.0.1',
      'x-forwarded-host': 'evil',
      'x-forwarded-proto': 'https',
      'x-request-id': 'chosen-by-caller',
    })
    await trusting.close()
    port = before
  })

  it('routes a polling socket to the gateway that opened it, and passes web sockets through', async () => {
    for (const transports of [['polling'], ['websocket'], ['polling', 'websocket']] as const) {
      const opened = Array.from({ length: 6 }, () => connect([...transports]))
      const names = await Promise.all(opened.map((client) => client.timeout(ackMs).emitWithAck('who')))
      expect(new Set(names)).toEqual(new Set(['gateway-1', 'gateway-2']))
      for (const [index, client] of opened.entries()) {
        expect(await client.timeout(ackMs).emitWithAck('who')).toBe(names[index])
      }
    }
  })

  it('uses the remaining gateways when one is down, and its sockets reconnect to another', async () => {
    const opened = Array.from({ length: 4 }, () => connect(['websocket', 'polling']))
    await Promise.all(opened.map((client) => client.timeout(ackMs).emitWithAck('who')))
    const [first] = gateways
    if (!first) throw new Error('no gateway')
    await stopGateway(first)
    const payload = 'x'.repeat(200_000)
    for (let n = 0; n < 6; n++) {
      expect(await echoOf('/', { method: 'POST', body: payload })).toMatchObject({ name: 'gateway-2', body: payload })
    }
    for (const client of opened) {
      await until(async () => expect(await client.timeout(500).emitWithAck('who')).toBe('gateway-2'))
    }
  })

  it('does not ask a client to repeat a request that may have been executed', async () => {
    for (const { server } of gateways) {
      server.removeAllListeners('request')
      server.on('request', (incoming) => incoming.socket.destroy())
    }
    const codeOf = async (...given: Parameters<typeof call>) => {
      const { status, body } = await call(...given)
      return [status, JSON.parse(body).code]
    }
    const send = { method: 'POST', body: '{}' }
    expect(await codeOf('/notifications/send', send)).toEqual([504, 'unknown-outcome'])
    const keyed = { ...send, headers: { 'idempotency-key': 'k1' } }
    expect(await codeOf('/notifications/send', keyed)).toEqual([503, 'unavailable'])
    expect(await codeOf('/notifications')).toEqual([503, 'unavailable'])
  })

  it('skips a frozen gateway, answers its pending requests, and moves its sockets to another', async () => {
    const clock = createVirtualTimers()
    const liveness = { everyMs: 1_000, timeoutMs: 3_000, timers: clock.timers }
    const watching = createBalancer({ gateways, trustsProxies: false, liveness })
    port = await watching.listen({ host: '127.0.0.1', port: 0 })
    const opened = Array.from({ length: 4 }, () => connect(['websocket']))
    await Promise.all(opened.map((client) => client.timeout(ackMs).emitWithAck('who')))
    await until(() => expect(clock.pendingMs()).toEqual([1_000, 1_000]))
    const [first] = gateways
    if (!first) throw new Error('no gateway')
    // It accepts connections and requests and does not answer.
    let unanswered = 0
    first.server.removeAllListeners('request')
    first.server.removeAllListeners('upgrade')
    first.server.on('request', ({ url }) => void (url === '/' && unanswered++))
    await clock.advance(1_000)
    await until(() => expect(clock.pendingMs()).toEqual([1_000, 3_000]))
    const calling = Promise.all(Array.from({ length: 6 }, () => echoOf('/')))
    await until(() => expect(unanswered).toBe(3))
    await clock.advance(3_000)
    const calls = await calling
    expect(new Set(calls.map(({ name }) => name))).toEqual(new Set(['gateway-2']))
    expect(await echoOf('/', { method: 'POST', body: '{}' })).toMatchObject({ name: 'gateway-2' })
    for (const client of opened) {
      await until(async () => expect(await client.timeout(500).emitWithAck('who')).toBe('gateway-2'))
    }
    for (const client of opened) client.close()
    await watching.close()
    // Its unanswered requests keep it from closing.
    first.server.closeAllConnections()
  })

  it('answers 503 when no gateway is available', async () => {
    await Promise.all(gateways.map(stopGateway))
    const { status, body } = await call('/notifications')
    expect([status, JSON.parse(body)]).toMatchObject([503, { success: false, code: 'unavailable' }])
  })
})
