import { getProfile, listUsers, logIn } from '@portal/contracts/auth/http'
import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eraseInLog } from './erasure.ts'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'

let portal: Harness
beforeEach(async () => {
  portal = await startHarness()
})
afterEach(() => portal.stop())

const registered = async (): Promise<{ userId: UserId; token: string }> => {
  await portal.register()
  const { user, token } = await portal.logIn()
  return { userId: user._id, token }
}

const expectGone = async (token: string) => {
  expect(await portal.refuse(getProfile, { token })).toMatchObject({ status: 401 })
  const { personalEmail, password } = applicant
  expect(await portal.refuse(logIn, { body: { personalEmail, password } })).toMatchObject({
    status: 401,
    message: 'Invalid credentials',
  })
}

test('an erased user is logged out, cannot log in, is not listed and is unreadable in every record', async () => {
  const admin = await portal.parts.auth.ensureFirstAdmin({ password: 'Root-2026' })
  const { userId, token } = await registered()
  const encrypted = (await portal.recorded())
    .map(({ data }) => (data !== null && typeof data === 'object' && 'profile' in data ? data.profile : undefined))
    .filter((profile) => profile !== undefined)

  expect(await portal.parts.auth.eraseUser(userId)).toBe('erased')

  await expectGone(token)
  const adminLogIn = await portal.logIn({ personalEmail: admin?.email ?? '', password: 'Root-2026' })
  const { users } = await portal.call(listUsers, { token: adminLogIn.token })
  expect(users.map(({ fullName }) => fullName)).toEqual(['Admin'])
  for (const profile of encrypted.slice(-2)) {
    expect(await portal.parts.vault.decrypt(userId, encryptedTextSchema.parse(profile))).toBeUndefined()
  }
  await portal.restart()
  await expectGone(token)
})

test('eraseInLog records the erasure, destroys the key and releases the address once', async () => {
  const { userId, token } = await registered()
  const { eventStore, vault } = portal.parts
  expect(await eraseInLog({ eventStore, vault }, userId)).toBe('erased')
  expect(await eraseInLog({ eventStore, vault }, userId)).toBe('erased-before')
  const recorded = await portal.recorded()
  expect(recorded.filter(({ type }) => type === 'UserErased')).toHaveLength(1)
  expect(recorded.filter(({ type }) => type === 'EmailReleased')).toHaveLength(1)
  await portal.restart()
  await expectGone(token)
  await portal.register({ ...applicant, fullName: 'Another Asha' })
  const unknown = userIdSchema.parse('01980000-0000-7000-8000-00000000000b')
  expect(await eraseInLog(portal.parts, unknown)).toBe('no-such-user')
})

test('erasing twice equals erasing once, and an unknown user is rejected', async () => {
  const { userId, token } = await registered()
  await Promise.all([portal.parts.auth.eraseUser(userId), portal.parts.auth.eraseUser(userId)])
  expect(await portal.parts.auth.eraseUser(userId)).toBe('erased')
  await expectGone(token)
  const recorded = await portal.recorded()
  expect(recorded.filter(({ type }) => type === 'UserErased')).toHaveLength(1)
  expect(recorded.filter(({ type }) => type === 'EmailReleased')).toHaveLength(1)
  const nobody = userIdSchema.parse('01980000-0000-7000-8000-00000000000b')
  expect(await portal.parts.auth.eraseUser(nobody)).toBe('no-such-user')
})
