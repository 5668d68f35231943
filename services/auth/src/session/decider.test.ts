import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { UnknownEventTypeError } from '@portal/platform/decider/stored-event'
import { specification } from '@portal/platform/testing/decider/specification'
import { expect, test } from 'vitest'
import { ZodError } from 'zod'
import { type SessionCommand, sessionDecider } from './decider.ts'
import type { SessionEvent } from './events.ts'

const sessionId = sessionIdSchema.parse('01980000-0000-7000-8000-00000000000a')
const userId = userIdSchema.parse('01980000-0000-7000-8000-000000000001')
const expiresAt = new Date('2026-03-09T09:00:00.000Z')

const start: SessionCommand = { type: 'StartSession', sessionId, userId, expiresAt, deviceName: 'Firefox on Linux' }
const end: SessionCommand = { type: 'EndSession', sessionId, userId, expiresAt, reason: 'logged-out' }
const started: SessionEvent = {
  type: 'SessionStarted',
  data: { sessionId, userId, expiresAt: '2026-03-09T09:00:00.000Z', deviceName: 'Firefox on Linux' },
}
const ended: SessionEvent = {
  type: 'SessionEnded',
  data: { sessionId, userId, expiresAt: '2026-03-09T09:00:00.000Z', reason: 'logged-out' },
}

const { given } = specification(sessionDecider)

test('a session starts', () => given([]).when(start).then([started]))
test('a session starts with a new device', () =>
  given([])
    .when({ ...start, isNewDevice: true })
    .then([{ ...started, data: { ...started.data, isNewDevice: true } }]))
test('a session ends', () => given([started]).when(end).then([ended]))
const used: SessionEvent = { type: 'SessionUsed', data: { sessionId, userId, usedAt: '2026-03-04T09:00:00.000Z' } }
const use: SessionCommand = { type: 'UseSession', sessionId, userId, usedAt: new Date('2026-03-04T09:00:00.000Z') }
test('a session is used', () => given([started]).when(use).then([used]))
test('a use does not revive an ended session', () => given([started, ended]).when(use).thenNothing())
test('a session without a recorded start is not used', () => given([]).when(use).thenNothing())
test('a used session ends', () => given([started, used]).when(end).then([ended]))
test('ending twice changes nothing', () => given([started, ended]).when(end).thenNothing())
test('starting twice changes nothing', () => given([started]).when(start).thenNothing())
test('an ended session stays ended', () => given([started, ended]).when(start).thenNothing())
test('a session without a recorded start can be ended', () => given([]).when(end).then([ended]))

test('rejects a stored event of an unknown type or shape', () => {
  expect(() => sessionDecider.parse({ type: 'SessionPaused', data: {} })).toThrow(UnknownEventTypeError)
  expect(() => sessionDecider.parse({ type: 'SessionEnded', data: { ...ended.data, reason: 'bored' } })).toThrow(
    ZodError,
  )
})

test('keeps the recorded stream category', () => {
  expect(sessionDecider.category).toBe('session')
})

test('a session is live until it has ended', () => {
  expect(sessionDecider.evolve('none', started)).toBe('live')
  expect(sessionDecider.evolve('live', ended)).toBe('ended')
})
