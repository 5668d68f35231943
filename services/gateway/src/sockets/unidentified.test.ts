import { once } from 'node:events'
import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { createHostRule } from '@portal/platform/http/allowed-hosts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  nextMessage,
  rejectionOf,
  type SocketFixture,
  startSocketFixture,
} from '@portal/gateway/testing/sockets/socket-fixture'
import { until } from '@portal/platform/testing/until'

let fixture: SocketFixture
const start = async (...options: Parameters<typeof startSocketFixture>) => {
  fixture = await startSocketFixture(...options)
  return fixture
}
afterEach(() => fixture.stop())

const pollingPath = '/socket.io/?EIO=4&transport=polling'

/** Sends the first request of a client that never authenticates. Returns the connection's id. */
const openAnonymously = async (headers: Readonly<Record<string, string>> = {}): Promise<string> => {
  const answer = await fetch(`${fixture.address}${pollingPath}`, { headers })
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
  return /"sid":"([^"]+)"/.exec(await answer.text())?.[1] ?? ''
}
const post = (sid: string, body: string) =>
  fetch(`${fixture.address}${pollingPath}&sid=${sid}`, { method: 'POST', body })
/** Whether the server still has the connection: it answers 'ok' to a packet with a known id. */
const isKnown = async (sid: string): Promise<boolean> => (await post(sid, '3')).ok

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)))
const anonymous = () => fixture.sockets.stats().unidentified

describe('unauthenticated connections', () => {
  it('lock no learner out, however many one address opens', async () => {
    await start({ limits: { maxConnections: 5, maxUnidentified: 40, maxUnidentifiedPerAddress: 20 } })
    let isFlooding = true
    const flood = async (): Promise<void> => {
      while (isFlooding) await times(20, () => openAnonymously())
    }
    const flooding = flood()
    await until(() => expect(anonymous()).toBe(20))
    for (const [token, transports] of [
      ['1:1', ['websocket']],
      ['2:2', ['websocket']],
      ['3:3', ['polling']],
    ] as const) {
      const client = fixture.open(undefined, {
        transports: [...transports],
        extraHeaders: { cookie: `portal_session=${token}`, origin: fixture.address },
      })
      expect(await nextMessage(client, 'inbox:changed')).toMatchObject({ seq: 0 })
    }
    // Also with the token alone: it needs only one round trip.
    expect(await nextMessage(fixture.open('4:4'), 'inbox:changed')).toMatchObject({ seq: 0 })
    isFlooding = false
    await flooding
    expect(anonymous()).toBeLessThanOrEqual(20)
    expect(fixture.connections.sockets).toBe(4)
  })

  it('are limited per address and in total, and the oldest gives way', async () => {
    await start({ limits: { maxUnidentified: 5, maxUnidentifiedPerAddress: 3 }, isTrusted: () => true })
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const first = await openAnonymously(from('203.0.113.1'))
    const others = await times(3, () => openAnonymously(from('203.0.113.1')))
    expect(await isKnown(first)).toBe(false)
    expect(await Promise.all(others.map(isKnown))).toEqual([true, true, true])
    // A subscriber typically has a whole /64.
    await times(4, (i) => openAnonymously(from(`2001:db8:0:1::${i}`)))
    expect(anonymous()).toBe(5)
  })

  it('are closed at their timeout, even if they stopped polling', async () => {
    await start({ limits: { identifyWithinMs: 500 } })
    const [silent, confused] = [await openAnonymously(), await openAnonymously()]
    // Not a valid packet at this point. Socket.IO closes it cleanly, which waits for a poll.
    await post(confused, '42["inbox:seen",{}]')
    const webSocket = connect(Number(new URL(fixture.address).port), '127.0.0.1')
    const [opened, closed] = [once(webSocket, 'data'), once(webSocket, 'close')]
    webSocket.write(
      'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
    )
    expect(String((await opened)[0])).toMatch(/^HTTP\/1.1 101 /)
    await until(() => expect(anonymous()).toBe(0))
    expect([await isKnown(silent), await isKnown(confused)]).toEqual([false, false])
    await closed
    expect(fixture.logged.filter((line) => line.includes('unauthenticated connections closed')).length).toBeGreaterThan(
      0,
    )
    expect(fixture.securityLog.events).toContainEqual(
      expect.objectContaining({ event: 'socket-closed', code: 'unidentified' }),
    )
  })

  it('have one attempt to authenticate', async () => {
    await start()
    const sid = await openAnonymously()
    await post(sid, '40{"token":"nobody:1"}')
    await until(() => expect(fixture.securityLog.events).toHaveLength(1))
    await post(sid, '40{"token":"1:1"}')
    await until(() => expect(anonymous()).toBe(0))
    expect(fixture.connections.sockets).toBe(0)
    expect(fixture.securityLog.events).toEqual([
      expect.objectContaining({
        event: 'socket-refused',
        result: 'refused',
        code: 'unauthenticated',
        address: '127.0.0.1',
      }),
    ])
  })

  it('include those of a client that logs in and disconnects', async () => {
    await start()
    const { client } = await fixture.connect('1:1')
    const closed = new Promise<string>((resolve) => client.io.engine.once('close', resolve))
    client.io.engine.write('1')
    await closed
    expect(fixture.connections.sockets).toBe(0)
  })
})

describe('a page of another site', () => {
  it('cannot open a socket, with a token or a cookie', async () => {
    await start()
    const foreign = { origin: 'https://elsewhere.example' }
    for (const transports of [['websocket'], ['polling']]) {
      expect(await rejectionOf(fixture.open('1:1', { transports, extraHeaders: foreign }))).toMatch(/error/)
    }
    const cookie = { cookie: 'portal_session=1:1', ...foreign }
    expect(await rejectionOf(fixture.open(undefined, { extraHeaders: cookie }))).toBe('websocket error')
    expect(fixture.securityLog.events[0]).toMatchObject({ event: 'socket-refused', code: 'foreign-origin' })
    // Pages of the portal can, and so can programs, which send no Origin.
    await nextMessage(fixture.open('1:1', { extraHeaders: { origin: fixture.address } }), 'inbox:changed')
    await nextMessage(fixture.open('1:1'), 'inbox:changed')
  })

  it('gets no response under a host name of its own', async () => {
    const publicOrigin = 'https://portal.example'
    const hosts = createHostRule({ host: '0.0.0.0', publicOrigin, isTrusted: () => false })
    await start({ publicOrigin, ...(hosts && { hosts }) })
    expect(await rejectionOf(fixture.open('1:1', { extraHeaders: { host: 'evil.example' } }))).toBe('websocket error')
    await nextMessage(
      fixture.open('1:1', { extraHeaders: { host: 'portal.example', origin: publicOrigin } }),
      'inbox:changed',
    )
  })
})

describe('a response of the socket server', () => {
  it('is an error for JSONP and for a request with several Host headers', async () => {
    await start()
    const jsonp = await fetch(`${fixture.address}${pollingPath}&j=0`)
    expect([jsonp.status, await jsonp.text()]).toEqual([400, expect.stringContaining('"code":"invalid"')])
    const socket = connect(Number(new URL(fixture.address).port), '127.0.0.1')
    socket.write(`GET ${pollingPath} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`)
    expect(await textOf(socket)).toMatch(/^HTTP\/1.1 400 [^]*exactly one Host/)
    expect(anonymous()).toBe(0)
  })

  it('carries the headers of every response', async () => {
    await start({ publicOrigin: 'https://portal.example' })
    for (const path of [pollingPath, '/socket.io/?EIO=4&transport=none']) {
      const { headers } = await fetch(`${fixture.address}${path}`)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
      expect(headers.get('strict-transport-security')).toContain('max-age=')
    }
  })
})

it('survives a connection reset during the session check', async () => {
  const check = Promise.withResolvers<void>()
  const beforeCheck = vi.fn<() => Promise<void>>(() => check.promise)
  await start({ beforeCheck })
  const uncaught = vi.fn<() => void>()
  process.once('uncaughtException', uncaught)
  const socket = connect(Number(new URL(fixture.address).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Authorization: Bearer 1:1\r\nSec-WebSocket-Version: 13\r\n' +
      `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
  )
  await until(() => expect(beforeCheck).toHaveBeenCalledOnce())
  socket.resetAndDestroy()
  await until(async () => expect(await fixture.openConnections()).toBe(0))
  check.resolve()
  // Its own check ends after the one of the connection that was reset.
  await fixture.connect('1:1')
  process.off('uncaughtException', uncaught)
  expect(uncaught).not.toHaveBeenCalled()
})
