import { idempotencyHeaders } from '@portal/contracts/shared/idempotency'
import {
  idempotencyKeyHeader,
  type AnyRoute,
  defineRoute,
  doneSchema,
  routeError,
} from '@portal/contracts/shared/route'
import { pageQuerySchema } from '@portal/contracts/shared/page'
import { requiredText } from '@portal/contracts/shared/rules'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import type { Role } from '@portal/contracts/auth/user'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { ok, rejected } from '../decider/decider.ts'
import type { Session } from '../session/session.ts'
import { makeBindRoute } from './bind-route.ts'
import { createHttpApp } from './create-app.ts'
import type { Call } from './handler.ts'

const sessionOf = (role: Role): Session => ({
  sessionId: sessionIdSchema.parse('0192f000-0000-7000-8000-000000000001'),
  userId: userIdSchema.parse('0192f000-0000-7000-8000-000000000002'),
  role,
  expiresAt: new Date('2030-01-01T00:00:00Z'),
})
const sessions = {
  verify: async (token: string) => (token === 'admin' || token === 'student' ? sessionOf(token) : undefined),
}

const page = defineRoute({
  method: 'GET',
  path: '/things',
  access: 'signed-in',
  summary: 'Things',
  query: pageQuerySchema,
  response: z.object({ page: z.number(), role: z.string() }),
})
const rename = defineRoute({
  method: 'PUT',
  path: '/things/:id',
  access: 'admin',
  summary: 'Rename a thing',
  params: z.object({ id: z.uuid('The id is not valid') }),
  body: z.object({ name: requiredText('Name', 20), note: requiredText('Note', 20) }),
  response: doneSchema,
  errors: [routeError('conflict', 'The name is taken')],
})
const logIn = defineRoute({
  method: 'POST',
  path: '/log-in',
  access: 'public',
  summary: 'Log in',
  body: z.object({ email: requiredText('Email', 20) }),
  response: doneSchema,
})
const clear = defineRoute({
  method: 'DELETE',
  path: '/things',
  access: 'signed-in',
  summary: 'Clear',
  response: doneSchema,
})

const done = { success: true, message: 'done' } as const
const thing = '/things/0192f000-0000-7000-8000-000000000003'
const goodBody = { name: 'A', note: 'b' }

let app: FastifyInstance
let logged: string[]

beforeEach(() => {
  logged = []
  app = createHttpApp({ logger: pino({ level: 'info' }, { write: (line: string) => void logged.push(line) }) })
  const bind = makeBindRoute({ sessions, publicOrigin: 'https://portal.example', validateResponses: true })
  bind(app, page, async ({ query, session }) => ok({ page: query.page, role: session.role }))
  bind(app, rename, async ({ body }) =>
    body.name.startsWith('taken')
      ? rejected({ code: 'conflict', message: `The name is ${body.name}` } as const)
      : ok(done),
  )
  bind(app, logIn, async () => ok(JSON.stringify(done)))
  bind(app, clear, async () => ok(done))
})
afterEach(() => app.close())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const cookie = (token: string) => ({ cookie: `a=1; __Host-portal_session=${token}; b=2` })

const roleSeen = async (headers: Record<string, string>) => {
  const answer = await app.inject({ url: '/things', headers })
  return answer.statusCode === 200 ? answer.json<{ role: string }>().role : answer.statusCode
}
const removeStatus = async (headers: Record<string, string>) => {
  const own = { host: 'portal.local:3000' }
  return (await app.inject({ method: 'DELETE', url: '/things', headers: { ...own, ...headers } })).statusCode
}
const cookieRemoveStatus = (headers: Record<string, string>) => removeStatus({ ...cookie('student'), ...headers })
const logInStatus = async (headers: Record<string, string>) =>
  (await app.inject({ method: 'POST', url: '/log-in', headers, payload: { email: 'a' } })).statusCode
const put = (payload: string | object | undefined, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'PUT',
    url: thing,
    headers: { ...bearer('admin'), ...headers },
    ...(payload !== undefined && { payload }),
  })

describe('authorization', () => {
  it('passes the session to a handler, and allows anonymous callers on a public route', () => {
    expectTypeOf<Call<typeof page>['session']>().toEqualTypeOf<Session>()
    expectTypeOf<Call<typeof rename>['session']>().toEqualTypeOf<Session>()
    expectTypeOf<Call<typeof logIn>['session']>().toEqualTypeOf<Session | undefined>()
    expectTypeOf<Call<AnyRoute>['session']>().toEqualTypeOf<Session | undefined>()
  })
  it('responds with 401 without a valid token or cookie, before the request is parsed', async () => {
    for (const headers of [{}, bearer('x'), cookie('x'), { authorization: 'Basic YTpi' }]) {
      const answer = await app.inject({ method: 'PUT', url: '/things/not-an-id', headers, payload: '{broken' })
      expect(answer.statusCode).toBe(401)
      expect(answer.json()).toEqual({
        success: false,
        code: 'unauthenticated',
        message: 'Please log in to continue',
      })
    }
  })
  it('responds with 403 to a role without access, before the body is parsed', async () => {
    const answer = await app.inject({ method: 'PUT', url: thing, headers: bearer('student'), payload: '{broken' })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ code: 'forbidden', message: 'You do not have permission to do this' })
  })
  it('accepts the token from the header or the cookie, and prefers the header', async () => {
    expect(await roleSeen(bearer('student'))).toBe('student')
    expect(await roleSeen(cookie('student'))).toBe('student')
    expect(await roleSeen({ ...cookie('student'), ...bearer('admin') })).toBe('admin')
    expect(await roleSeen({ ...cookie('student'), ...bearer('expired') })).toBe(401)
    expect(await roleSeen({ cookie: 'x__Host-portal_session=admin' })).toBe(401)
  })
  it('accepts over https only the cookie that neither a sibling host nor plain http can set', async () => {
    for (const name of ['portal_session', '__Secure-portal_session'])
      expect(await roleSeen({ cookie: `${name}=student` })).toBe(401)
  })
})

describe('writes from other sites', () => {
  it("with only the cookie need the portal's Origin or Referer", async () => {
    expect(await cookieRemoveStatus({})).toBe(403)
    expect(await cookieRemoveStatus({ origin: 'null' })).toBe(403)
    expect(await cookieRemoveStatus({ origin: 'https://evil.example' })).toBe(403)
    expect(await cookieRemoveStatus({ origin: 'http://portal.local:3000.evil.example' })).toBe(403)
    expect(await cookieRemoveStatus({ origin: 'http://portal.local' })).toBe(403)
    expect(await cookieRemoveStatus({ origin: 'http://portal.local:3000' })).toBe(200)
    expect(await cookieRemoveStatus({ referer: 'http://portal.local:3000/notification?page=2' })).toBe(200)
    expect(await cookieRemoveStatus({ origin: 'https://portal.example' })).toBe(200)
    expect(await cookieRemoveStatus({ origin: 'https://evil.example', referer: 'http://portal.local:3000/' })).toBe(403)
  })
  it('with a Bearer token need none', async () => {
    expect(await removeStatus(bearer('student'))).toBe(200)
    expect(await removeStatus({ ...bearer('student'), origin: 'https://elsewhere.example' })).toBe(200)
  })
  it('to public routes are rejected only with a foreign Origin', async () => {
    expect(await logInStatus({})).toBe(200)
    expect(await logInStatus({ host: 'portal.local', origin: 'http://portal.local' })).toBe(200)
    expect(await logInStatus({ host: 'portal.local', origin: 'https://evil.example' })).toBe(403)
  })
  it('can read with only the cookie', async () => {
    const headers = { ...cookie('student'), origin: 'https://evil.example' }
    expect((await app.inject({ url: '/things', headers })).statusCode).toBe(200)
  })
})

describe('a request', () => {
  it('is parsed by the contract, with its defaults', async () => {
    expect((await app.inject({ url: '/things', headers: bearer('student') })).json()).toEqual({
      page: 1,
      role: 'student',
    })
    expect((await put(goodBody)).json()).toEqual(done)
  })
  it('is rejected with the first message and a message for each field', async () => {
    const answer = await put({ name: '  ', note: 3 })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({
      success: false,
      code: 'invalid',
      message: 'Name is required',
      errors: { name: 'Name is required', note: 'Note is required' },
    })
  })
  it('counts as an empty form without a body, for any content type', async () => {
    const json = { 'content-type': 'application/json' }
    for (const answer of [await put(undefined), await put('', json), await put('null', json)]) {
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ message: 'Name is required' })
    }
    const headers = { ...bearer('student'), ...json }
    expect((await app.inject({ method: 'DELETE', url: '/things', headers, payload: '' })).statusCode).toBe(200)
  })
  it('must be a JSON object', async () => {
    const json = { 'content-type': 'application/json' }
    for (const payload of ['[]', '"text"', '1', 'true']) {
      const answer = await put(payload, json)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ message: 'The request body must be a JSON object' })
    }
    for (const payload of ['{', '{"name":"a",}', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":{}}}']) {
      const answer = await put(payload, json)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ code: 'invalid', message: 'The request body is not valid JSON' })
    }
  })
  it('must be declared as JSON, so that a foreign form cannot send it', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const answer = await put('{"name":"a","note":"b"}', { 'content-type': type })
      expect(answer.statusCode).toBe(415)
      expect(answer.json()).toMatchObject({ success: false, code: 'unsupported-media-type' })
    }
  })
  it('is limited to 64 KiB by default', async () => {
    const answer = await put({ name: 'a'.repeat(65 * 1024), note: 'b' })
    expect(answer.statusCode).toBe(413)
    expect(answer.json()).toMatchObject({ success: false, code: 'payload-too-large' })
  })
  it('has only the headers of the contract', async () => {
    const add = defineRoute({
      method: 'POST',
      path: '/additions',
      access: 'public',
      summary: 'Add',
      headers: idempotencyHeaders,
      response: doneSchema,
    })
    const bind = makeBindRoute({ sessions, validateResponses: true })
    bind(app, add, async ({ headers }) => ok({ success: true, message: JSON.stringify(headers) }))
    const messageFor = async (headers: Record<string, string>) => {
      const answer = await app.inject({ method: 'POST', url: add.path, headers })
      return [answer.statusCode, answer.json<{ message: string }>().message]
    }
    expect(await messageFor({})).toEqual([200, '{}'])
    expect(await messageFor({ 'Idempotency-Key': 'k-1' })).toEqual([200, `{"${idempotencyKeyHeader}":"k-1"}`])
    const wrong = 'Idempotency-Key must be 1 to 128 visible ASCII characters'
    expect(await messageFor({ 'Idempotency-Key': 'k 1' })).toEqual([400, wrong])
  })
  it('must have a valid id and page', async () => {
    const badId = await app.inject({ method: 'PUT', url: '/things/7', headers: bearer('admin'), payload: goodBody })
    expect(badId.json()).toMatchObject({ code: 'invalid', message: 'The id is not valid' })
    for (const query of ['page=0', 'page=x', 'page=1&page=2', 'limit=101', 'page=1.5']) {
      const answer = await app.inject({ url: `/things?${query}`, headers: bearer('student') })
      expect(answer.statusCode).toBe(400)
      expect(answer.json<{ message: string }>().message).toMatch(/must be a whole number/)
    }
  })
})

describe('responses', () => {
  it('are uncached JSON, even if the handler returns text', async () => {
    const answer = await app.inject({ method: 'POST', url: '/log-in', payload: { email: 'a' } })
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.json()).toEqual(done)
  })
  it('have the error of the handler', async () => {
    const answer = await app.inject({
      method: 'PUT',
      url: thing,
      headers: bearer('admin'),
      payload: { ...goodBody, name: 'taken' },
    })
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toEqual({ success: false, code: 'conflict', message: 'The name is taken' })
  })
  it('with a status or a conflict that the contract does not list fail if responses are validated', async () => {
    const bind = makeBindRoute({ sessions, validateResponses: true })
    const errors = [routeError('conflict', 'The name is taken')]
    const odd = { message: 'The name is odd' }
    bind(app, { ...logIn, path: '/things' } as const, async () => rejected({ code: 'not-found', ...odd }))
    bind(app, { ...logIn, path: '/other', errors } as const, async () => rejected({ code: 'conflict', ...odd }))
    for (const url of ['/things', '/other']) {
      const answer = await app.inject({ method: 'POST', url, payload: { email: 'a' } })
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([500, 'internal'])
    }
    expect(logged.join('')).toContain("the contract of POST /things does not list errors with code 'not-found'")
    expect(logged.join('')).toContain("the contract of POST /other does not list the error 'The name is odd'")
  })
  it('to writes are logged, those to reads are not', async () => {
    await app.inject({ url: '/things', headers: bearer('student') })
    expect(logged).toEqual([])
    await app.inject({ method: 'POST', url: '/log-in', payload: { email: 'ann@example.com' } })
    expect(logged.map((line): unknown => JSON.parse(line))).toMatchObject([
      { msg: 'request done', method: 'POST', route: '/log-in', durationMs: expect.any(Number) },
    ])
  })
  it('that break their contract fail if responses are validated', async () => {
    const bind = makeBindRoute({ sessions, validateResponses: true })
    const open = { ...logIn, method: 'GET', body: z.unknown() } as const
    bind(app, { ...open, path: '/lacking' }, async () => ok('{"success":true}'))
    bind(app, { ...open, path: '/leaking' }, async () => ok(JSON.stringify({ ...done, passwordHash: 'x' })))
    const strictResponse = logIn.response.and(z.object({ token: z.string() }))
    bind(app, { ...open, path: '/promising', strictResponse }, async () => ok(JSON.stringify(done)))
    for (const url of ['/lacking', '/leaking', '/promising']) expect((await app.inject({ url })).statusCode).toBe(500)
    expect(logged.join('')).toContain('breaks its contract')
    expect(logged.join('')).toContain('fields that its contract does not define')
  })
})
