import type { AuthEvent } from '@portal/contracts/auth/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import type { Projection } from '@portal/platform/projection/projection'
import type { ReadModel } from '@portal/platform/read-model/port'
import { openSqliteReadModel } from '@portal/platform/read-model/sqlite'
import { endedSessionRef, makeIsEnded } from '@portal/platform/session/session-denylist'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { authMessage } from '../publish.ts'
import { newestSessions, openSessionsProjection, sessionProjection } from './projection.ts'

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

const applyTo = async (projection: Projection, event: AuthEvent, at: string) => {
  const message = authMessage(event)
  count += 1
  const position = String(count).padStart(6, '0')
  const writes = await projection.apply({ ...message, id: position, position, at }, readModel)
  const { key: partition } = message
  await readModel.commit({ projection: projection.name, partition, expected: applied[partition], position, writes })
  applied[partition] = position
}
const ended = (n: number, expiresAt?: string): AuthEvent => ({
  type: 'SessionEnded',
  data: { sessionId: sessionAt(n), userId, reason: 'logged-out', ...(expiresAt !== undefined && { expiresAt }) },
})

describe('ended sessions', () => {
  const apply = (event: AuthEvent, at: string) => applyTo(sessionProjection, event, at)
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
    const remembered = await readModel.range(bucketKey(userId), 'ended-sessions', { order: 'ascending', limit: 1_000 })
    expect(remembered.length).toBeLessThan(10)
  })

  test('keeps a session without an expiry for a year', async () => {
    await apply(ended(1), day(0))
    for (let n = 2; n <= 10; n++) await apply(ended(n, day(301)), day(300))
    expect(await isEnded(1)).toBe(true)
    for (let n = 11; n <= 16; n++) await apply(ended(n, day(401)), day(400))
    expect(await isEnded(1)).toBe(false)
  })
})

describe('open sessions', () => {
  const apply = (event: AuthEvent, at = day(0)) => applyTo(openSessionsProjection, event, at)
  const started = (n: number, expiresAt = day(7), of = userId): AuthEvent => ({
    type: 'SessionStarted',
    data: { sessionId: sessionAt(n), userId: of, expiresAt },
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

  test('keeps the newest use in its place, and none of an ended session', async () => {
    const used = (n: number, usedAt: string): AuthEvent => ({
      type: 'SessionUsed',
      data: { sessionId: sessionAt(n), userId, usedAt },
    })
    for (const event of [started(1), started(2), ended(2), used(1, day(1)), used(1, day(2)), used(2, day(2))])
      await apply(event)
    expect(await newestSessions(readModel, userId, 10)).toEqual([
      { sessionId: sessionAt(1), userId, expiresAt: day(7), startedAt: '000001', usedAt: day(2) },
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
})
