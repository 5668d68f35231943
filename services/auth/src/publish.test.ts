import { authEventSchema, encryptedTextSchema } from '@portal/contracts/auth/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { expect, test } from 'vitest'
import type { InvitationEvent } from './invitation/events.ts'
import { authMessage, publicEventsOf, publicInvitationEventOf } from './publish.ts'
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

test('invitations share one key, name the admin, and are published without the hashes of tokens and passwords', () => {
  const link = { tokenHash: 'hash', expiresAt: '2026-03-05T09:00:00.000Z' }
  const recorded: InvitationEvent[] = [
    { type: 'InvitationSent', data: { userId, role: 'faculty', emailIndex, profile, ...link } },
    { type: 'InvitationResent', data: { userId, ...link } },
    { type: 'InvitationAccepted', data: { userId, emailIndex, credential } },
    { type: 'InvitationWithdrawn', data: { userId } },
    { type: 'InvitationLapsed', data: { userId, reason: 'expired' } },
  ]
  const metadata = { actorId: userId }
  const messages = recorded.map((event) => authMessage(publicInvitationEventOf(event, metadata)))
  expect(messages.map(({ type, data }) => authEventSchema.parse({ type, data }))).toEqual([
    {
      type: 'InvitationSent',
      data: { userId, role: 'faculty', emailIndex, profile, expiresAt: link.expiresAt, invitedBy: userId },
    },
    { type: 'InvitationResent', data: { userId, expiresAt: link.expiresAt } },
    { type: 'InvitationAccepted', data: { userId, emailIndex } },
    { type: 'InvitationWithdrawn', data: { userId } },
    { type: 'InvitationLapsed', data: { userId } },
  ])
  expect(new Set(messages.map(({ key }) => key))).toEqual(new Set(['invitations']))
  expect(JSON.stringify(messages)).not.toMatch(/hash|"credential"/)
})
