import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { defineRoute } from '@portal/contracts/shared/route'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { ok } from '../decider/decider.ts'
import { loadConfig } from '../settings/config.ts'
import { createHostRule } from './allowed-hosts.ts'
import { makeBindRoute } from './bind-route.ts'
import { createHttpApp } from './create-app.ts'

const callerBehind = async (setting: string, forwardedFor: string): Promise<string> => {
  const { trustProxy } = loadConfig({ TRUST_PROXY: setting }).http
  const app = createHttpApp({ logger: pino({ level: 'silent' }), trustProxy })
  app.get('/caller', async ({ clientAddress }) => clientAddress)
  return (await app.inject({ url: '/caller', headers: { 'x-forwarded-for': forwardedFor } })).body
}

it("determines the client address by TRUST_PROXY and not by the caller's claim", async () => {
  const callers = [
    ['false', '127.0.0.1'],
    ['true', '203.0.113.9'],
    ['2', '198.51.100.7'],
    ['loopback', '203.0.113.9'],
    ['loopback,203.0.113.0/24', '198.51.100.7'],
  ] as const
  for (const [setting, caller] of callers)
    expect([setting, await callerBehind(setting, '6.6.6.6, 198.51.100.7, 203.0.113.9')]).toEqual([setting, caller])
})

it('takes the port off a forwarded address, and the peer for what is no address', async () => {
  const seen: Readonly<Record<string, string>> = {
    '198.51.100.7:51234': '198.51.100.7',
    '[2001:db8::7]:443': '2001:db8::7',
    '[2001:db8::7]': '2001:db8::7',
    '2001:db8::7': '2001:db8::7',
    '::ffff:198.51.100.7': '198.51.100.7',
    '198.51.100.7, unknown': '127.0.0.1',
    '198.51.100.7, _hidden:80': '127.0.0.1',
    ',': '127.0.0.1',
  }
  const answers = await Promise.all(
    Object.keys(seen).map(async (text) => [text, await callerBehind('1', text)] as const),
  )
  expect(Object.fromEntries(answers)).toEqual(seen)
})

it('leaves the length limit of path parameters to the contract', async () => {
  const app = createHttpApp({ logger: pino({ level: 'silent' }) })
  const readThing = defineRoute({
    method: 'GET',
    path: '/things/:id',
    access: 'public',
    summary: 'A thing',
    params: z.object({ id: z.string().max(200, 'This thing is not there') }),
    response: z.object({ id: z.string() }),
  })
  const bind = makeBindRoute({ sessions: { verify: async () => undefined }, validateResponses: true })
  bind(app, readThing, async ({ params }) => ok(params))
  const answerFor = async (length: number) => (await app.inject(`/things/${'x'.repeat(length)}`)).json()
  expect(await answerFor(200)).toEqual({ id: 'x'.repeat(200) })
  for (const length of [201, 10_000]) {
    expect(await answerFor(length)).toMatchObject({ code: 'invalid', message: 'This thing is not there' })
  }
})

describe('forwarded headers', () => {
  const answers = async (trustProxy: false | number | string, headers: Record<string, string>) => {
    const app = createHttpApp({ logger: pino({ level: 'silent' }), trustProxy })
    app.get('/facts', async ({ id, protocol }) => ({ id, protocol }))
    const { headers: answered, ...answer } = await app.inject({ url: '/facts', headers })
    return { ...answer.json<{ id: string; protocol: string }>(), hsts: answered['strict-transport-security'] }
  }
  const claims = { 'x-request-id': 'chosen-by-caller', 'x-forwarded-proto': 'https' }

  it('are trusted from a trusted proxy', async () => {
    for (const trusted of [1, 'loopback'] as const) {
      const answer = await answers(trusted, claims)
      expect(answer).toMatchObject({ id: 'chosen-by-caller', protocol: 'https', hsts: expect.any(String) })
    }
  })
  it('are ignored from other callers', async () => {
    for (const trusted of [false, '10.0.0.0/8'] as const) {
      const answer = await answers(trusted, claims)
      expect(answer).toMatchObject({ protocol: 'http', hsts: undefined })
      expect(answer.id).not.toBe('chosen-by-caller')
    }
  })
})

describe('the Host of a request', () => {
  const statusFor = async (publicOrigin: string | undefined, host: string) => {
    const hosts = createHostRule({ host: '0.0.0.0', publicOrigin, isTrusted: () => false })
    const app = createHttpApp({ logger: pino({ level: 'silent' }), hosts })
    app.get('/things', async () => ({}))
    const known = await app.inject({ url: '/things', headers: { host } })
    const unknown = await app.inject({ url: '/none', headers: { host } })
    return [known.statusCode, unknown.statusCode, known.json<{ code?: string }>().code]
  }

  it('must be the portal’s if its address is known', async () => {
    expect(await statusFor('https://portal.example', 'portal.example')).toEqual([200, 404, undefined])
    expect(await statusFor('https://portal.example', 'evil.example')).toEqual([421, 421, 'misdirected'])
    expect(await statusFor(undefined, 'any.example')).toEqual([200, 404, undefined])
  })
})

/** The answer to these bytes, of a connection that the server closes. */
const answerTo = async (app: ReturnType<typeof createHttpApp>, sent: string): Promise<string> => {
  onTestFinished(() => app.close())
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(sent)
  return textOf(socket)
}

describe('a request that Node treats on its own by default', () => {
  const answer = (version: string, headers: readonly string[]) => {
    const app = createHttpApp({ logger: pino({ level: 'silent' }) })
    // As a socket server does: Node leaves every request with Upgrade to it.
    app.server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'))
    app.get('/things', async () => ({ things: [] }))
    return answerTo(app, [`GET /things HTTP/${version}`, ...headers, '', ''].join('\r\n'))
  }
  const [host, close] = ['Host: portal.example', 'Connection: close'] as const

  it('is answered as usual if it offers another protocol or has another expectation', async () => {
    for (const offered of ['h2c', 'websocket', 'TLS/1.0']) {
      const headers = [host, 'Connection: close, Upgrade', `Upgrade: ${offered}`]
      expect(await answer('1.1', headers)).toMatch(/^HTTP\/1.1 200 [^]*"things"/)
    }
    expect(await answer('1.1', [host, close, 'Expect: 200-ok'])).toMatch(/^HTTP\/1.1 200 [^]*nosniff/)
  })
  it('is invalid without Host or with several', async () => {
    for (const hosts of [[], [host, host], [host, 'host: evil.example']]) {
      expect(await answer('1.1', [...hosts, close])).toMatch(/^HTTP\/1.1 400 [^]*nosniff[^]*exactly one Host/)
    }
    expect(await answer('1.0', [])).toMatch(/^HTTP\/1.1 200 /)
    expect(await answer('1.0', [host, host])).toMatch(/^HTTP\/1.1 400 /)
  })
})

describe('a client that stops sending', () => {
  const never = 3_600_000
  const head = 'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
  // Longer than a busy machine may delay what the client sends: an answer to a request that is still on its way is lost.
  const timeMs = 1_000
  const stalled = [
    ['in the head', head, { headMs: timeMs, requestMs: never }],
    ['in the body', `${head}Content-Length: 9\r\n\r\n{"a"`, { headMs: timeMs, requestMs: timeMs }],
  ] as const

  it.each(stalled)('%s gets an error and loses its connection', async (_where, sent, times) => {
    const app = createHttpApp({ logger: pino({ level: 'silent' }), receiveTimes: { ...times, checkEveryMs: 5 } })
    app.post('/echo', async ({ body }) => body)
    expect(await answerTo(app, sent)).toContain('The request did not arrive in time')
  })
})
