import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { describe, expect, test } from 'vitest'
import { type ActiveUser, isOfCurrentPassword, userDecider, type UserState } from './decider.ts'
import type { UserEvent } from './events.ts'

/** What each event makes of each state, also of those in which no command records it. */
const userId = userIdSchema.parse('01980000-0000-7000-8000-000000000001')
const encrypted = (text: string) => encryptedTextSchema.parse(text)
const login = { userId, role: 'student', emailIndex: 'index' } as const

const registered: UserEvent = {
  type: 'UserRegistered',
  data: { ...login, profile: encrypted('profile'), credential: encrypted('first') },
}
const profileChanged: UserEvent = { type: 'UserProfileChanged', data: { userId, profile: encrypted('other') } }
const rehashed: UserEvent = { type: 'UserCredentialRehashed', data: { ...login, credential: encrypted('second') } }
const passwordChanged: UserEvent = { type: 'UserPasswordChanged', data: { ...login, credential: encrypted('third') } }
const roleChanged: UserEvent = {
  type: 'UserRoleChanged',
  data: { ...login, role: 'admin', credential: encrypted('third'), by: 'operator' },
}
const erased: UserEvent = { type: 'UserErased', data: { userId, emailIndex: 'index' } }

const active: ActiveUser = {
  status: 'active',
  ...login,
  profile: encrypted('profile'),
  credential: encrypted('first'),
  earlierCredentials: [],
}
const after = (...events: readonly UserEvent[]): UserState =>
  events.reduce<UserState>((state, event) => userDecider.evolve(state, event), userDecider.initial)

test('keeps the recorded stream category', () => expect(userDecider.category).toBe('user'))

describe('an active user', () => {
  test('has the registered data', () => expect(after(registered)).toEqual(active))
  test('gets another profile', () =>
    expect(after(registered, profileChanged)).toEqual({ ...active, profile: encrypted('other') }))
  test('keeps earlier hashes of the same password', () =>
    expect(after(registered, rehashed)).toEqual({
      ...active,
      credential: encrypted('second'),
      earlierCredentials: [encrypted('first')],
    }))
  test('has no earlier hashes of a new password', () =>
    expect(after(registered, rehashed, passwordChanged)).toEqual({ ...active, credential: encrypted('third') }))
  test('gets another role', () => expect(after(registered, roleChanged)).toEqual({ ...active, role: 'admin' }))
})

describe.each([
  ['nobody', after()],
  ['an erased user', after(registered, erased)],
])('%s', (_who, state) => {
  test.each([profileChanged, rehashed, passwordChanged, roleChanged])('is not changed by $type', (event) => {
    expect(userDecider.evolve(state, event)).toBe(state)
  })
  test('has no password', () => expect(isOfCurrentPassword(state, encrypted('first'))).toBe(false))
})

test('an erased user has no data', () => expect(after(registered, erased)).toEqual({ status: 'erased' }))

test('recognizes the current password by its hash and by earlier hashes', () => {
  const user = after(registered, rehashed)
  expect(isOfCurrentPassword(user, encrypted('first'))).toBe(true)
  expect(isOfCurrentPassword(user, encrypted('second'))).toBe(true)
  expect(isOfCurrentPassword(user, encrypted('third'))).toBe(false)
})
