import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isTransient } from '../errors/error-kinds.ts'
import { createHttpApp } from '../http/create-app.ts'
import { openRemoteSessionRecord, serveSessionState, sessionStatePath } from './session-record.ts'

const session = {
  sessionId: sessionIdSchema.parse('01980000-0000-7000-8000-000000000002'),
  userId: userIdSchema.parse('01980000-0000-7000-8000-000000000001'),
  role: 'student' as const,
  expiresAt: new Date('2026-03-02T09:00:00.000Z'),
}

let auth: FastifyInstance
let address: string
let open: Set<string>
let isFailing: boolean
beforeEach(async () => {
  open = new Set(['good'])
  isFailing = false
  auth = createHttpApp({ logger: pino({ level: 'silent' }) })
  serveSessionState(auth, {
    verify: async (token) => {
      if (isFailing) throw new Error('no log')
      return open.has(token) ? session : undefined
    },
  })
  address = await auth.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => auth.close())

it("returns auth's decision about a token", async () => {
  const record = openRemoteSessionRecord(address)
  expect(await record.isOpen(session, 'good')).toBe(true)
  open.clear()
  expect(await record.isOpen(session, 'good')).toBe(false)
})

it('fails as unavailable, and not as a rejection, if auth fails or is unavailable', async () => {
  const record = openRemoteSessionRecord(address)
  isFailing = true
  await expect(record.isOpen(session, 'good')).rejects.toSatisfy(isTransient)
  await auth.close()
  await expect(record.isOpen(session, 'good')).rejects.toSatisfy(isTransient)
})

it('accepts only a Bearer token', async () => {
  const statusWith = async (headers: Record<string, string>) =>
    (await auth.inject({ method: 'GET', url: sessionStatePath, headers })).statusCode
  expect(await statusWith({ authorization: 'Bearer good' })).toBe(204)
  expect(await statusWith({ cookie: 'portal_session=good' })).toBe(401)
  expect(await statusWith({})).toBe(401)
})
