import { randomUUID } from 'node:crypto'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isTransient } from '../errors/error-kinds.ts'
import { createHttpApp } from '../http/create-app.ts'
import { openSqliteEventStore } from '../event-store/sqlite.ts'
import { streamOf } from '../event-store/stream-name.ts'
import { until } from '../../testing/until.ts'
import {
  createTellAuth,
  openRemoteSessionRecord,
  openSessionRecord,
  serveSessionState,
  sessionStatePath,
} from './session-record.ts'
import type { SessionPurpose } from './session.ts'

const session = {
  sessionId: sessionIdSchema.parse('01980000-0000-7000-8000-000000000002'),
  userId: userIdSchema.parse('01980000-0000-7000-8000-000000000001'),
  role: 'student' as const,
  expiresAt: new Date('2026-03-02T09:00:00.000Z'),
}

let auth: FastifyInstance
let address: string
let open: Set<string>
let purposes: (SessionPurpose | undefined)[]
let isFailing: boolean
beforeEach(async () => {
  open = new Set(['good'])
  purposes = []
  isFailing = false
  auth = createHttpApp({ logger: pino({ level: 'silent' }) })
  serveSessionState(auth, {
    verify: async (token, purpose) => {
      purposes.push(purpose)
      if (isFailing) throw new Error('no log')
      return open.has(token) ? session : undefined
    },
  })
  address = await auth.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => auth.close())

it("returns auth's decision about a token", async () => {
  const record = openRemoteSessionRecord(address)
  expect(await record.find(session, 'good')).toEqual({ lastUse: 'not-idle' })
  open.clear()
  expect(await record.find(session, 'good')).toBeUndefined()
})

it('fails as unavailable, and not as a rejection, if auth fails or is unavailable', async () => {
  const record = openRemoteSessionRecord(address)
  isFailing = true
  await expect(record.find(session, 'good')).rejects.toSatisfy(isTransient)
  await auth.close()
  await expect(record.find(session, 'good')).rejects.toSatisfy(isTransient)
})

it('accepts only a Bearer token', async () => {
  const statusWith = async (headers: Record<string, string>) =>
    (await auth.inject({ method: 'GET', url: sessionStatePath, headers })).statusCode
  expect(await statusWith({ authorization: 'Bearer good' })).toBe(204)
  expect(await statusWith({ cookie: 'portal_session=good' })).toBe(401)
  expect(await statusWith({})).toBe(401)
})

it('looks only, while auth is told of a use by a POST, once at a time, and without waiting', async () => {
  await openRemoteSessionRecord(address).find(session, 'good')
  expect(purposes).toEqual(['look'])
  const tellAuth = createTellAuth(address)
  for (let n = 0; n < 3; n++) tellAuth({ token: 'good' })
  await until(() => expect(purposes).toEqual(['look', 'use']))
  await auth.close()
  tellAuth({ token: 'good' })
})

it('has the last use of an open session from the log', async () => {
  const eventStore = openSqliteEventStore({ path: ':memory:', now: () => new Date() })
  const { sessionId, userId } = session
  const append = (type: string, data: object) =>
    eventStore.append(streamOf('session', sessionId), 'any', [{ id: randomUUID(), type, data }])
  const record = openSessionRecord(eventStore)
  expect(await record.find(session, 'good')).toBeUndefined()
  await append('SessionStarted', { sessionId, userId })
  expect(await record.find(session, 'good')).toEqual({ lastUse: 'unknown' })
  await append('SessionStarted', { sessionId, userId, deviceName: 'A browser' })
  expect(await record.find(session, 'good')).toEqual({ lastUse: 'login' })
  for (const usedAt of ['2026-03-01T09:00:00.000Z', '2026-03-01T12:00:00.000Z'])
    await append('SessionUsed', { sessionId, userId, usedAt })
  expect(await record.find(session, 'good')).toEqual({ lastUse: new Date('2026-03-01T12:00:00.000Z') })
  await append('SessionEnded', { sessionId, userId })
  expect(await record.find(session, 'good')).toBeUndefined()
  await eventStore.close()
})
