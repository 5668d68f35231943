import { authEventSchema, encryptedTextSchema } from '@portal/contracts/auth/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { expect, test } from 'vitest'
import { authMessage, publicEventsOf } from './publish.ts'
import type { UserEvent } from './user/events.ts'

const userId = userIdSchema.parse('01980000-0000-7000-8000-000000000001')
const emailIndex = 'index of an address'
const profile = encryptedTextSchema.parse('profile')
const credential = encryptedTextSchema.parse('credential')
const login = { userId, role: 'student', emailIndex, credential } as const

const events: UserEvent[] = [
  { type: 'UserRegistered', data: { ...login, profile } },
  { type: 'UserProfileChanged', data: { userId, profile } },
  { type: 'UserPasswordChanged', data: login },
  { type: 'UserPasswordChanged', data: { ...login, endsSessions: { reason: 'password-reset' } } },
  { type: 'UserCredentialRehashed', data: login },
  { type: 'UserRoleChanged', data: { ...login, by: 'operator' } },
  { type: 'UserRegistered', data: { ...login, profile, emailVerified: false } },
  { type: 'UserEmailReleased', data: { userId, emailIndex } },
  { type: 'UserErased', data: { userId, emailIndex } },
]

test('every event is published by the contract, with the key that it is looked up by', () => {
  const messages = events.flatMap((event) => publicEventsOf(event).map(authMessage))
  expect(events.filter((event) => publicEventsOf(event).length === 0)).toEqual([])
  expect(messages.map(({ type, data }) => authEventSchema.parse({ type, data }))).toEqual(
    messages.map(({ type, data }) => ({ type, data })),
  )
  expect(messages.map(({ type, key }) => [type, key])).toEqual(
    messages.map(({ type }) => [type, bucketKey(type.startsWith('Login') ? emailIndex : userId)]),
  )
})

test('only login messages contain credentials', () => {
  for (const { type, data } of events.flatMap(publicEventsOf)) {
    expect('credential' in data).toBe(type === 'LoginGranted')
  }
})
