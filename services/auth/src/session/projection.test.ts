import type { AuthEvent } from '@portal/contracts/auth/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import type { ReadModel } from '@portal/platform/read-model/port'
import { openSqliteReadModel } from '@portal/platform/read-model/sqlite'
import { endedSessionRef, makeIsEnded } from '@portal/platform/session/session-denylist'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { authMessage } from '../publish.ts'
import { sessionProjection } from './projection.ts'

const userId = userIdSchema.parse('01980000-0000-7000-8000-000000000001')
const otherUserId = userIdSchema.parse('01980000-0000-7000-8000-000000000002')
const sessionAt = (n: number) => sessionIdSchema.parse(`01980000-0000-7000-8000-${String(n).padStart(12, '0')}`)
const partition = bucketKey(userId)
const startMs = Date.parse('2026-03-02T09:00:00.000Z')
const dayMs = 24 * 60 * 60 * 1_000
const day = (n: number) => new Date(startMs + n * dayMs).toISOString()

let readModel: ReadModel
let position: number
beforeEach(() => {
  readModel = openSqliteReadModel({ path: ':memory:', namespace: 'read' })
  position = 0
})
afterEach(() => readModel.close())

const apply = async (event: AuthEvent, at: string) => {
  const message = authMessage(event)
  const expected = position === 0 ? undefined : String(position).padStart(6, '0')
  position += 1
  const next = String(position).padStart(6, '0')
  const envelope: Envelope = { ...message, id: next, position: next, at }
  const writes = await sessionProjection.apply(envelope, readModel)
  await readModel.commit({ projection: 'sessions', partition: message.key, expected, position: next, writes })
}
const ended = (n: number, expiresAt?: string): AuthEvent => ({
  type: 'SessionEnded',
  data: { sessionId: sessionAt(n), userId, reason: 'logged-out', ...(expiresAt !== undefined && { expiresAt }) },
})
const isEnded = (n: number, of = userId) => makeIsEnded(readModel)({ sessionId: sessionAt(n), userId: of })

test('a session without a record is live, also in an empty read model', async () => {
  expect(await isEnded(1)).toBe(false)
  await apply(ended(1, day(7)), day(0))
  expect(await isEnded(1)).toBe(true)
  expect(await isEnded(2)).toBe(false)
})

test('ends all sessions of an erased user and of no one else', async () => {
  await apply({ type: 'UserErased', data: { userId, emailIndex: 'index' } }, day(0))
  expect(await isEnded(1)).toBe(true)
  expect(await isEnded(1, otherUserId)).toBe(false)
})

test('removes an ended session once its token has expired, and not before', async () => {
  await apply(ended(1, day(7)), day(0))
  for (let n = 2; n <= 10; n++) await apply(ended(n, day(14)), day(7))
  expect(await isEnded(1)).toBe(true)
  for (let n = 11; n <= 16; n++) await apply(ended(n, day(16)), day(9))
  expect(await readModel.get(endedSessionRef({ userId, sessionId: sessionAt(1) }))).toBeUndefined()
  expect(await isEnded(2)).toBe(true)
  expect(await isEnded(16)).toBe(true)
})

test('keeps an ended session when one event has a clock far ahead', async () => {
  for (let n = 1; n <= 5; n++) await apply(ended(n, day(7)), day(0))
  await apply(ended(6, day(37)), day(30))
  await apply(ended(7, day(7)), day(0.1))
  for (let n = 1; n <= 7; n++) expect(await isEnded(n)).toBe(true)
})

test('keeps the list bounded', async () => {
  for (let n = 0; n < 60; n++) await apply(ended(n, day(1)), day(0))
  for (let n = 60; n < 90; n++) await apply(ended(n, day(n)), day(n - 1))
  const remembered = await readModel.range(partition, 'ended-sessions', { order: 'ascending', limit: 1_000 })
  expect(remembered.length).toBeLessThan(10)
})

test('keeps a session without an expiry for a year', async () => {
  await apply(ended(1), day(0))
  for (let n = 2; n <= 10; n++) await apply(ended(n, day(301)), day(300))
  expect(await isEnded(1)).toBe(true)
  for (let n = 11; n <= 16; n++) await apply(ended(n, day(401)), day(400))
  expect(await isEnded(1)).toBe(false)
})
