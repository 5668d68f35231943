import { authEventSchema, encryptedTextSchema } from '@portal/contracts/auth/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { passkeyIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { expect, test } from 'vitest'
import type { InvitationEvent } from './invitation/events.ts'
import { authMessage, publicEventsOf, publicInvitationEventOf, publicSecondFactorEventsOf } from './publish.ts'
import type { SecondFactorEvent } from './second-factor/events.ts'
import type { UserEvent } from './user/events.ts'

const userId = userIdSchema.parse('01980000-0000-7000-8000-000000000001')
const emailIndex = 'index of an address'
const profile = encryptedTextSchema.parse('profile')
const credential = encryptedTextSchema.parse('credential')
const login = { userId, role: 'student', emailIndex, credential } as const

const events: UserEvent[] = [
  { type: 'UserRegistered', data: { ...login, profile } },
  { type: 'UserProfileChanged', data: { userId, profile } },
  { type: 'UserProfileChanged', data: { userId, profile, isLanguageOnly: true } },
  { type: 'UserPasswordChanged', data: login },
  { type: 'UserPasswordChanged', data: { ...login, endsSessions: { reason: 'password-reset' } } },
  { type: 'UserCredentialRehashed', data: login },
  { type: 'UserRoleChanged', data: { ...login, by: 'operator' } },
  { type: 'UserRegistered', data: { ...login, profile, emailVerified: false } },
  { type: 'UserSessionsEnded', data: { userId } },
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

test('changes of a second factor are published once each, without secrets, hashes and names of operators', () => {
  const secret = encryptedTextSchema.parse('secret')
  const passkeyId = passkeyIdSchema.parse('01980000-0000-7000-8000-000000000002')
  const passkey = {
    userId,
    passkeyId,
    credentialId: secret,
    credentialIndex: 'hash',
    publicKey: secret,
    counter: 0,
    transports: [],
    label: 'Chrome on Android',
    addedAt: '2026-03-05T09:00:00.000Z',
  }
  const recorded: SecondFactorEvent[] = [
    { type: 'TotpOffered', data: { userId, secret, expiresAt: '2026-03-05T09:00:00.000Z' } },
    { type: 'TotpEnrolled', data: { userId, secret, step: 100 } },
    { type: 'RecoveryCodesIssued', data: { userId, codeHashes: ['hash'] } },
    { type: 'TotpCodeUsed', data: { userId, step: 101 } },
    { type: 'RecoveryCodeUsed', data: { userId, codeHash: 'hash' } },
    { type: 'RecoveryCodesIssued', data: { userId, codeHashes: ['hash'], areRenewed: true } },
    { type: 'PasskeyAdded', data: passkey },
    { type: 'PasskeyUsed', data: { userId, passkeyId, counter: 1, day: '2026-03-05' } },
    { type: 'PasskeyRemoved', data: { userId, passkeyId } },
    { type: 'PasskeyRemoved', data: { userId, passkeyId, isLast: true } },
    { type: 'SecondFactorRemoved', data: { userId, by: userId } },
    { type: 'SecondFactorRemoved', data: { userId, by: passkeyId } },
    { type: 'SecondFactorRemoved', data: { userId, by: 'root' } },
    { type: 'SecondFactorRemoved', data: { userId, by: 'root', wasOff: true } },
  ]
  const messages = recorded.flatMap(publicSecondFactorEventsOf).map(authMessage)
  expect(messages.map(({ type, data }) => authEventSchema.parse({ type, data }))).toEqual([
    { type: 'TotpEnrolled', data: { userId } },
    { type: 'RecoveryCodesIssued', data: { userId } },
    { type: 'PasskeyAdded', data: { userId, deviceName: 'Chrome on Android' } },
    { type: 'PasskeyRemoved', data: { userId } },
    { type: 'SecondFactorRemoved', data: { userId, by: 'owner' } },
    { type: 'SecondFactorRemoved', data: { userId, by: 'admin' } },
    { type: 'SecondFactorRemoved', data: { userId, by: 'operator' } },
  ])
  expect(JSON.stringify(messages)).not.toMatch(/secret|hash|root/)
  expect(new Set(messages.map(({ key }) => key))).toEqual(new Set([bucketKey(userId)]))
})
