import { expect, it } from 'vitest'
import { eventsQueryOf } from './query.ts'

const now = new Date('2026-11-21T14:00:00.000Z')

it('defaults to the newest fifty events', () => {
  expect(eventsQueryOf({}, now)).toEqual({ limit: 50, asked: {} })
})

it('reads each setting', () => {
  const environment = { CATEGORY: 'user', TYPE: 'UserRegistered,UserErased', AFTER: '0042', SINCE: '2h', LIMIT: '1000' }
  expect(eventsQueryOf(environment, now)).toEqual({
    category: 'user',
    types: new Set(['UserRegistered', 'UserErased']),
    after: '0042',
    since: new Date('2026-11-21T12:00:00.000Z'),
    limit: 1_000,
    asked: { category: 'user', type: 'UserRegistered,UserErased', after: '0042', since: '2h', limit: '1000' },
  })
})

it('rejects invalid settings, and unmasking without a reason', () => {
  const cases: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['LIMIT', { LIMIT: '1001' }],
    ['LIMIT', { LIMIT: '0' }],
    ['LIMIT', { LIMIT: '5x' }],
    ['SINCE', { SINCE: 'yesterday' }],
    ['STREAM', { STREAM: 'user-1', CATEGORY: 'user' }],
    ['REASON', { UNMASK: '1' }],
    ['REASON', { UNMASK: '1', REASON: '  ' }],
    ['REASON', { UNMASK: '1', REASON: 'x'.repeat(501) }],
  ]
  for (const [name, environment] of cases)
    expect(() => eventsQueryOf(environment, now), `of ${JSON.stringify(environment)}`).toThrow(name)
  expect(eventsQueryOf({ REASON: 'ticket 12' }, now).unmaskReason).toBeUndefined()
  expect(eventsQueryOf({ UNMASK: '1', REASON: ' ticket 12 ' }, now).unmaskReason).toBe('ticket 12')
})
