import type { AuthEvent } from '@portal/contracts/auth/events'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import type { ReadModel } from '@portal/platform/read-model/port'
import { openSqliteReadModel } from '@portal/platform/read-model/sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { authMessage } from '../publish.ts'
import { newestSessions, openSessionsProjection } from './projection.ts'

const userId = userIdSchema.parse('01980000-0000-7000-8000-000000000001')
const otherUserId = userIdSchema.parse('01980000-0000-7000-8000-000000000002')
const sessionAt = (n: number) => sessionIdSchema.parse(`01980000-0000-7000-8000-${String(n).padStart(12, '0')}`)
const startMs = Date.parse('2026-03-02T09:00:00.000Z')
const day = (n: number) => new Date(startMs + n * 24 * 60 * 60 * 1_000).toISOString()

let readModel: ReadModel
let applied: Record<string, string>
let count: number
beforeEach(() => {
  readModel = openSqliteReadModel({ path: ':memory:', namespace: 'read' })
  applied = {}
  count = 0
})
afterEach(() => readModel.close())

const apply = async (event: AuthEvent, at = day(0)) => {
  const message = authMessage(event)
  count += 1
  const position = String(count).padStart(6, '0')
  const writes = await openSessionsProjection.apply({ ...message, id: position, position, at }, readModel)
  const { key: partition } = message
  await readModel.commit({ projection: 'open-sessions', partition, expected: applied[partition], position, writes })
  applied[partition] = position
}
const started = (n: number, expiresAt = day(7), of = userId): AuthEvent => ({
  type: 'SessionStarted',
  data: { sessionId: sessionAt(n), userId: of, expiresAt },
})
const ended = (n: number): AuthEvent => ({
  type: 'SessionEnded',
  data: { sessionId: sessionAt(n), userId, reason: 'logged-out' },
})
const open = async (of = userId, limit = 10) =>
  (await newestSessions(readModel, of, limit)).map(({ sessionId }) => sessionId)

test('lists sessions from start to end, newest first', async () => {
  for (const event of [started(1), started(2), started(3), ended(2)]) await apply(event)
  expect(await open()).toEqual([sessionAt(3), sessionAt(1)])
  expect(await open(userId, 1)).toEqual([sessionAt(3)])
  expect(await open(otherUserId)).toEqual([])
})

test('stores the position of the start and the expiry', async () => {
  await apply(started(1))
  await apply(started(2, day(3)))
  expect(await newestSessions(readModel, userId, 1)).toEqual([
    { sessionId: sessionAt(2), userId, expiresAt: day(3), startedAt: '000002' },
  ])
})

test('a password change writes nothing, and callers can wait for its position', async () => {
  await apply(started(1))
  await apply({ type: 'UserPasswordChanged', data: { userId, endsSessions: { reason: 'password-reset' } } })
  expect(await open()).toEqual([sessionAt(1)])
  const { key } = authMessage(started(1))
  expect(await readModel.whenApplied('open-sessions', key, '000002', 0)).toBe(true)
})

test('removes expired sessions, so that the list stays bounded', async () => {
  for (let n = 0; n < 30; n++) await apply(started(n, day(1)))
  for (let n = 30; n < 60; n++) await apply(started(n, day(n)), day(n - 2))
  expect((await open(userId, 1_000)).length).toBeLessThan(10)
})

test('keeps a session when one event has a clock far ahead', async () => {
  for (let n = 1; n <= 5; n++) await apply(started(n, day(7)))
  await apply(started(6, day(37)), day(30))
  await apply(started(7, day(7)), day(0.1))
  expect(await open()).toHaveLength(7)
})

test('removes an erased user and no one else', async () => {
  await apply(started(1))
  await apply(started(2, day(7), otherUserId))
  await apply({ type: 'UserErased', data: { userId, emailIndex: 'index' } })
  expect(await open()).toEqual([])
  expect(await open(otherUserId)).toEqual([sessionAt(2)])
})
