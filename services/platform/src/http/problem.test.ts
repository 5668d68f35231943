import { type AddressInfo, connect } from 'node:net'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { problemSchema } from '@portal/contracts/shared/problem'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { AppendOutcomeUnknownError, WriteFailedError } from '../event-store/errors.ts'
import { ReadModelUnavailableError } from '../read-model/errors.ts'
import { createLogger } from '../observability/logger.ts'
import {
  createMemorySecurityLog,
  type MemorySecurityLog,
} from '@portal/platform/testing/security-log/memory-security-log'
import { createHttpApp } from './create-app.ts'
import { apiErrorOfIssues, sendApiError } from './problem.ts'

let app: FastifyInstance
let logged: string
let securityLog: MemorySecurityLog

beforeEach(() => {
  logged = ''
  securityLog = createMemorySecurityLog()
  app = createHttpApp({
    securityLog,
    trustProxy: 'loopback',
    logger: createLogger({ level: 'info', destination: { write: (line) => void (logged += line) } }),
  })
  app.get('/broken/:token', async () => {
    throw new Error('connect ECONNREFUSED /srv/portal/data/events.db')
  })
  app.get('/away', async () => {
    throw new ReadModelUnavailableError('redis://10.0.0.7 does not answer')
  })
  app.post('/full', async () => {
    throw new WriteFailedError(new Error('database or disk is full'))
  })
  app.post('/unknown', async () => {
    throw new AppendOutcomeUnknownError()
  })
  app.get('/odd', async () => {
    // Some libraries throw values that are not errors.
    throw 'secret text'
  })
  app.get('/limited', async (_request, reply) => {
    reply.header('retry-after', 17)
    throw Object.assign(new Error('Rate limit exceeded, retry in 17 seconds'), { statusCode: 429 })
  })
  app.get('/wait', (request, reply) =>
    sendApiError(request, reply, { code: 'too-many-requests', message: 'Please wait', retryAfterSeconds: 30 }),
  )
  app.post('/upload', async () => ({}))
})
afterEach(() => app.close())

describe('an unexpected failure', () => {
  it('reveals only a request id, under which the log has the details', async () => {
    const answer = await app.inject({ url: '/broken/secret-token', headers: { 'x-request-id': 'proxy-12345678' } })
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toEqual({
      success: false,
      code: 'internal',
      message: 'Something went wrong. Please try again.',
    })
    expect(answer.headers['x-request-id']).toBe('proxy-12345678')
    expect(logged).toContain('ECONNREFUSED')
    expect(logged).toContain('"requestId":"proxy-12345678"')
    expect(logged).not.toContain('secret-token')
  })
  it('reports a failed engine as temporary, and logs it', async () => {
    const answer = await app.inject('/away')
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      {
        success: false,
        code: 'unavailable',
        message: 'This is not available right now. Please try again in a moment.',
      },
    ])
    expect(logged).toContain('does not answer')
  })
  it('[O7] says that nothing was saved if the engine refuses the write, and logs one line a minute', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.inject({ method: 'POST', url: '/full' })))
    for (const answer of answers)
      expect([answer.statusCode, answer.json()]).toEqual([
        503,
        {
          success: false,
          code: 'unavailable',
          message: 'This cannot be saved at the moment. Please try again later.',
        },
      ])
    const lines = logged.split('\n').filter((line) => line !== '')
    expect(lines).toEqual([expect.stringContaining('disk is full')])
  })
  it('of a write that may be recorded has an unknown outcome, unless a retry is safe', async () => {
    const post = (headers: Record<string, string>) => app.inject({ method: 'POST', url: '/unknown', headers })
    const answer = await post({})
    expect([answer.statusCode, answer.json()]).toEqual([
      504,
      {
        success: false,
        code: 'unknown-outcome',
        message: 'No answer came in time, so this may already have been done. Please check before you try again.',
      },
    ])
    expect((await post({ 'idempotency-key': 'k1' })).json()).toMatchObject({ code: 'unavailable' })
  })
  it('can be a thrown value that is not an error', async () => {
    const answer = await app.inject('/odd')
    expect(answer.statusCode).toBe(500)
    expect(answer.body).not.toContain('secret')
  })
  it('gets a new id if the given one is malformed', async () => {
    const answer = await app.inject({ url: '/none', headers: { 'x-request-id': '"><script>' } })
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{12}-\d+$/)
  })
})

describe('an error of the framework', () => {
  it('has the time to wait', async () => {
    const limited = await app.inject('/limited')
    expect(limited.statusCode).toBe(429)
    expect(limited.json()).toEqual({
      success: false,
      code: 'too-many-requests',
      message: 'Too many requests. Please try again in a moment.',
      retryAfterSeconds: 17,
    })
    const wait = await app.inject('/wait')
    expect(wait.headers['retry-after']).toBe('30')
    expect(wait.json()).toMatchObject({ retryAfterSeconds: 30 })
  })
  it('is 404 for an unknown route, with any body', async () => {
    for (const type of ['application/json', 'text/plain', 'image/png']) {
      const answer = await app.inject({ method: 'POST', url: '/none', headers: { 'content-type': type }, payload: '{' })
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toMatchObject({ code: 'not-found' })
    }
    const upload = await app.inject({
      method: 'POST',
      url: '/upload',
      headers: { 'content-type': 'image/png' },
      payload: 'x',
    })
    expect(upload.statusCode).toBe(415)
  })
  it('has the same body for malformed HTTP', async () => {
    await app.listen({ port: 0, host: '127.0.0.1' })
    // The server listens on a port, so the address is an AddressInfo.
    const { port } = app.server.address() as AddressInfo
    const answerTo = async (sent: string) => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write(sent)
      const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
      return { status: head.split('\r\n')[0], problem: problemSchema.parse(JSON.parse(body)) }
    }
    expect(await answerTo('HELLO\r\n\r\n')).toEqual({
      status: 'HTTP/1.1 400 Bad Request',
      problem: { success: false, code: 'invalid', message: 'This is not an HTTP request' },
    })
    const overflow = await answerTo(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`)
    expect(overflow.problem).toMatchObject({ code: 'payload-too-large', message: 'The request headers are too large' })
  })
})

describe('the request log', () => {
  it('has a line for a rejection, with the route pattern', async () => {
    await app.inject({
      method: 'POST',
      url: '/upload?token=not-for-logs',
      payload: '{',
      headers: { 'content-type': 'application/json' },
    })
    await app.inject({ url: '/none?token=not-for-logs', headers: { 'x-request-id': 'proxy-12345678' } })
    const lines = logged
      .split('\n')
      .slice(0, -1)
      .map((line): unknown => JSON.parse(line))
    expect(lines).toMatchObject([
      { msg: 'request rejected', method: 'POST', route: '/upload', code: 'invalid' },
      { msg: 'request rejected', method: 'GET', code: 'not-found', requestId: 'proxy-12345678' },
    ])
    expect(logged).not.toContain('not-for-logs')
  })
})

it('returns the first message of each field', () => {
  const schema = z.object({
    user: z.object({ name: z.string('Name is required').min(3, 'too short') }),
    tags: z.array(z.string('no tag')),
  })
  const { error } = schema.safeParse({ user: { name: 7 }, tags: ['a', 1] })
  if (!error) throw new Error('expected the input to be rejected')
  expect(apiErrorOfIssues(error)).toEqual({
    code: 'invalid',
    message: 'Name is required',
    errors: { 'user.name': 'Name is required', 'tags.1': 'no tag' },
  })
})

describe('the security log', () => {
  it('records the source of failures and exceeded limits, but no missing resources', async () => {
    await app.inject({
      url: '/broken/secret-token',
      headers: { 'user-agent': 'test/1', 'x-request-id': 'proxy-12345678' },
    })
    await app.inject({ url: '/limited', remoteAddress: '192.0.2.7' })
    await app.inject('/none')
    expect(securityLog.events).toEqual([
      expect.objectContaining({
        event: 'request-failed',
        result: 'failed',
        code: 'internal',
        address: '127.0.0.1',
        userAgent: 'test/1',
        requestId: 'proxy-12345678',
        method: 'GET',
        route: '/broken/:token',
      }),
      expect.objectContaining({ event: 'limit-hit', result: 'refused', address: '192.0.2.7', route: '/limited' }),
    ])
    expect(securityLog.text()).not.toContain('secret-token')
  })
})
