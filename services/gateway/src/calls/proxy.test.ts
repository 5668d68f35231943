import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { logIn } from '@portal/contracts/auth/http'
import { listUniversities } from '@portal/contracts/catalog/http'
import { exportRecipients, sendNotification } from '@portal/contracts/notifications/http'
import { createHttpApp } from '@portal/platform/http/create-app'
import type { LivenessTimes } from '@portal/platform/http/upstream'
import { serveDocs } from '@portal/platform/http/docs-page'
import { registerOpenApi } from '@portal/platform/http/openapi'
import { createVirtualTimers } from '@portal/platform/testing/async/virtual-timers'
import { until } from '@portal/platform/testing/until'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { proxyCalls, type ServiceAddresses } from './proxy.ts'
import { routeTable } from '@portal/contracts/route-table'

const logger = pino({ level: 'silent' })

/** Responds to every call with what it received. */
const startEcho = async (name: string): Promise<{ readonly app: FastifyInstance; readonly address: string }> => {
  const app = createHttpApp({ logger, trustProxy: 'loopback' })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 10_000_000 }, (_request, body, done) =>
    done(null, body),
  )
  app.all('/*', async (request, reply) => {
    reply.header('x-from', name).header('keep-alive', 'timeout=72')
    if (request.url.includes('teapot')) reply.code(418)
    const { headers, ip, protocol, host, id, method, url, body } = request
    return { headers, ip, protocol, host, id, method, url, body: body ?? null }
  })
  return { app, address: await app.listen({ host: '127.0.0.1', port: 0 }) }
}

let upstreams: FastifyInstance[]
let servers: Server[]
let addresses: ServiceAddresses
let gateway: FastifyInstance

const startGateway = async (to: ServiceAddresses, times?: LivenessTimes): Promise<void> => {
  gateway = createHttpApp({ logger, trustProxy: 'loopback' })
  await registerOpenApi(gateway, { title: 'Portal', version: '1', description: '' })
  await serveDocs(gateway, { title: 'Portal' })
  await proxyCalls(gateway, to, times)
}

beforeEach(async () => {
  servers = []
  const started = await Promise.all(['auth', 'catalog', 'notifications'].map(startEcho))
  upstreams = started.map(({ app }) => app)
  const [auth = '', catalog = '', notifications = ''] = started.map(({ address }) => address)
  addresses = { auth, catalog, notifications }
  await startGateway(addresses)
})
afterEach(async () => {
  await gateway.close()
  await Promise.all(upstreams.map((app) => app.close()))
  for (const server of servers) server.close()
})

const addressOf = (server: Server): string => {
  const listening = server.address()
  if (listening === null || typeof listening === 'string') throw new Error('no port')
  return `http://127.0.0.1:${listening.port}`
}

const concrete = (path: string): string => path.replaceAll(/:\w+/g, '01980000-0000-7000-8000-000000000001')

describe('a call', () => {
  it('[G-49] reaches the service that owns its contract', async () => {
    for (const [service, routes] of Object.entries(routeTable)) {
      expect(routes.length).toBeGreaterThan(2)
      for (const { method, path } of routes) {
        const answer = await gateway.inject({ method, url: `${concrete(path)}?page=2&q=%C3%A9` })
        expect([method, path, answer.headers['x-from']]).toEqual([method, path, service])
        expect(answer.json()).toMatchObject({ method, url: `${concrete(path)}?page=2&q=%C3%A9` })
      }
    }
    expect((await gateway.inject('/.well-known/jwks.json')).headers['x-from']).toBe('auth')
  })

  it('answers HEAD as it answers GET, without the body', async () => {
    const reads = Object.values(routeTable).flatMap((routes) => routes.filter(({ method }) => method === 'GET'))
    expect(reads.length).toBeGreaterThan(10)
    for (const { path } of reads) {
      const url = concrete(path)
      const [get, head] = [await gateway.inject({ method: 'GET', url }), await gateway.inject({ method: 'HEAD', url })]
      expect([path, head.statusCode, head.body]).toEqual([path, get.statusCode, ''])
      expect(Object.keys(head.headers).toSorted()).toEqual(Object.keys(get.headers).toSorted())
      expect(head.headers['x-from']).toBe(get.headers['x-from'])
    }
    const jwks = await gateway.inject({ method: 'HEAD', url: '/.well-known/jwks.json' })
    expect([jwks.statusCode, jwks.headers['x-from'], jwks.body]).toEqual([200, 'auth', ''])
  })

  it('forwards its body byte for byte', async () => {
    const payload = '{ "title" : "Grüße",\n\t"n": 1e3 }'
    const sent = { method: 'POST', url: sendNotification.path, payload } as const
    const type = 'application/json; charset=utf-8'
    const answer = await gateway.inject({ ...sent, headers: { 'content-type': type, 'idempotency-key': 'k1' } })
    expect(answer.json()).toMatchObject({
      body: payload,
      headers: { 'content-type': type, 'idempotency-key': 'k1', 'content-length': String(Buffer.byteLength(payload)) },
    })
    const empty = await gateway.inject({
      method: 'POST',
      url: logIn.path,
      headers: { 'content-type': 'application/json' },
    })
    expect(empty.statusCode).toBe(200)
  })

  it("over its route's body limit is rejected", async () => {
    const post = (url: string, bytes: number) =>
      gateway.inject({
        method: 'POST',
        url,
        payload: 'x'.repeat(bytes),
        headers: { 'content-type': 'application/json' },
      })
    expect((await post(sendNotification.path, 500_000)).headers['x-from']).toBe('notifications')
    const refused = await post(logIn.path, 500_000)
    expect([refused.statusCode, refused.json()]).toEqual([
      413,
      { success: false, code: 'payload-too-large', message: 'The request body is too large' },
    ])
  })

  it("carries the gateway's caller headers, whatever the caller sends", async () => {
    const answer = await gateway.inject({
      url: listUniversities.path,
      remoteAddress: '203.0.113.9',
      headers: {
        host: 'portal.example',
        origin: 'https://portal.example',
        cookie: 'portal_session=abc',
        authorization: 'Bearer t',
        'x-request-id': 'request-0001',
        'x-forwarded-for': '6.6.6.6',
        'x-forwarded-host': 'evil.example',
        connection: 'keep-alive, x-hop',
        'x-hop': 'of this hop',
        te: 'trailers',
      },
    })
    const { headers, ip, protocol, host, id } = answer.json()
    expect(id).not.toBe('request-0001')
    expect({ ip, protocol, host, id }).toEqual({
      ip: '203.0.113.9',
      protocol: 'http',
      host: 'portal.example',
      // The gateway ignores the caller's own id, because the caller is not a trusted proxy.
      id: answer.headers['x-request-id'] ?? id,
    })
    expect(headers).toMatchObject({
      host: 'portal.example',
      origin: 'https://portal.example',
      cookie: 'portal_session=abc',
      authorization: 'Bearer t',
    })
    expect(headers).not.toHaveProperty('x-hop')
    expect(headers).not.toHaveProperty('te')
    expect(answer.headers).not.toHaveProperty('keep-alive')
  })

  it("returns the service's response unchanged", async () => {
    expect((await gateway.inject(`${listUniversities.path}?teapot`)).statusCode).toBe(418)
  })

  it('passes a file on while the service is still writing it, and stops the service when the client goes away', async () => {
    let isClosed = false
    const writing = createHttpServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="a.csv"' })
      response.write('first\n')
      response.once('close', () => (isClosed = true))
    }).listen(0, '127.0.0.1')
    servers.push(writing)
    await once(writing, 'listening')
    await gateway.close()
    await startGateway({ ...addresses, notifications: addressOf(writing) })
    const address = await gateway.listen({ host: '127.0.0.1', port: 0 })
    const leaving = new AbortController()
    const answer = await fetch(`${address}${concrete(exportRecipients.path)}`, { signal: leaving.signal })
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/csv',
      'content-disposition': 'attachment; filename="a.csv"',
    })
    const first = await answer.body?.getReader().read()
    expect(new TextDecoder().decode(first?.value)).toBe('first\n')
    leaving.abort()
    await expect.poll(() => isClosed).toBe(true)
  })

  it('is rejected as unavailable while its service is down; other services keep responding', async () => {
    await upstreams[1]?.close()
    for (const method of ['GET', 'POST'] as const) {
      const answer = await gateway.inject({ method, url: listUniversities.path })
      expect([answer.statusCode, answer.json()]).toEqual([
        503,
        {
          success: false,
          code: 'unavailable',
          message: 'This is not available right now. Please try again in a moment.',
        },
      ])
    }
    expect((await gateway.inject({ method: 'POST', url: logIn.path })).headers['x-from']).toBe('auth')
  })

  it('may have taken effect if its service hangs up: only safe requests may be retried', async () => {
    const rude = createServer((socket) => socket.once('data', () => socket.destroy())).listen(0, '127.0.0.1')
    servers.push(rude)
    await once(rude, 'listening')
    await gateway.close()
    await startGateway({ ...addresses, catalog: addressOf(rude), notifications: addressOf(rude) })
    const read = await gateway.inject(listUniversities.path)
    expect([read.statusCode, read.json()]).toMatchObject([503, { code: 'unavailable' }])
    const send = (headers: Record<string, string>) =>
      gateway.inject({ method: 'POST', url: sendNotification.path, payload: '{}', headers })
    const answer = await send({})
    expect([answer.statusCode, answer.json()]).toMatchObject([504, { success: false, code: 'unknown-outcome' }])
    const keyed = await send({ 'idempotency-key': 'k1' })
    expect([keyed.statusCode, keyed.json()]).toMatchObject([503, { code: 'unavailable' }])
  })

  it('stops waiting for a frozen service, and is rejected at once from then on', async () => {
    let received = ''
    const frozen = createServer((socket) => socket.on('data', (data) => (received += data))).listen(0, '127.0.0.1')
    servers.push(frozen)
    await once(frozen, 'listening')
    await gateway.close()
    const clock = createVirtualTimers()
    const times = { everyMs: 1_000, timeoutMs: 3_000, timers: clock.timers }
    await startGateway({ ...addresses, notifications: addressOf(frozen) }, times)
    const send = () => gateway.inject({ method: 'POST', url: sendNotification.path, payload: '{}' })
    const sent = send()
    await until(() => expect(received).toContain(`POST ${sendNotification.path}`))
    // The two others have answered and are asked again in a second.
    await until(() => expect(clock.pendingMs()).toEqual([1_000, 1_000, 3_000]))
    await clock.advance(3_000)
    expect((await sent).json()).toMatchObject({ code: 'unknown-outcome' })
    expect((await send()).json()).toMatchObject({ code: 'unavailable' })
    expect((await gateway.inject({ method: 'POST', url: logIn.path })).headers['x-from']).toBe('auth')
  })

  it('is documented; a call without a contract is not forwarded', async () => {
    const { paths } = (await gateway.inject('/docs/json')).json()
    for (const { path, method } of Object.values(routeTable).flat()) {
      expect(paths[path.replaceAll(/:(\w+)/g, '{$1}')]).toHaveProperty(method.toLowerCase())
    }
    expect((await gateway.inject('/internal')).statusCode).toBe(404)
  })
})
