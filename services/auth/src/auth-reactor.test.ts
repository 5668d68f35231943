import { randomUUID } from 'node:crypto'
import { getProfile, initiateRegistration, listUsers, logIn, verifyRegistration } from '@portal/contracts/auth/http'
import { sessionIdSchema } from '@portal/contracts/shared/ids'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { codeHashOf } from './registration/issue-codes.ts'
import { registrationDecider } from './registration/decider.ts'
import { sessionDecider } from './session/decider.ts'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'
import { userDecider } from './user/decider.ts'
import { loginRef } from './user/projection.ts'
import { until } from '@portal/platform/testing/until'

let portal: Harness
beforeEach(async () => {
  portal = await startHarness()
})
afterEach(() => portal.stop())

const { personalEmail, mobileNumber, password } = applicant
const logInStatus = async () => (await portal.inject(logIn, { body: { personalEmail, password } })).statusCode

const canLogIn = async () => {
  const { readModel, vault } = portal.parts
  return (await readModel.get(loginRef(vault.index('email', personalEmail)))) !== undefined
}

const claimsOf = (token: string) => {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return { sessionId: sessionIdSchema.parse(claims.sid) }
}

/** The state after a request that crashed between the two streams. */
const completeHalfway = async () => {
  await portal.call(initiateRegistration, { body: applicant })
  const codes = portal.lastCodes()
  await portal.restart({ runs: false })
  const { vault, eventStore } = portal.parts
  const emailIndex = vault.index('email', personalEmail)
  const email = codeHashOf(vault, emailIndex, 'email', codes.otpEmail ?? '')
  const mobileIndex = vault.index('mobile', mobileNumber)
  const command = { type: 'VerifyCodes', mobileIndex, entered: { email }, now: portal.world.clockAndIds.now() } as const
  const handled = await handleCommand(eventStore, registrationDecider, emailIndex, command, {
    eventId: () => randomUUID(),
  })
  expect(handled).toMatchObject({ ok: true, value: { state: { status: 'completed' } } })
}
const usersRecorded = async () => (await portal.recorded()).filter(({ type }) => type === 'UserRegistered').length

test('completes a registration after a crash at the next start', async () => {
  await completeHalfway()
  expect(await usersRecorded()).toBe(0)
  await portal.restart({})
  await until(async () => expect(await canLogIn()).toBe(true))
  expect(await logInStatus()).toBe(200)
  expect(await usersRecorded()).toBe(1)
})

test('completes the return of an address after a crash at the next start', async () => {
  await portal.call(initiateRegistration, { body: applicant })
  const { otpMobile } = portal.lastCodes()
  await portal.call(verifyRegistration, { body: { email: personalEmail, mobileNumber, otpMobile } })
  const former = await portal.logIn()
  const owner = { ...applicant, mobileNumber: '9111111111', password: 'Haystack-2026' }
  await portal.call(initiateRegistration, { body: owner })
  const code = portal.lastCodes().otpEmail ?? ''
  await portal.restart({ runs: false })
  const { vault, eventStore } = portal.parts
  const emailIndex = vault.index('email', personalEmail)
  const entered = { email: codeHashOf(vault, emailIndex, 'email', code) }
  const mobileIndex = vault.index('mobile', owner.mobileNumber)
  const command = { type: 'VerifyCodes', mobileIndex, entered, now: portal.world.clockAndIds.now() } as const
  await handleCommand(eventStore, registrationDecider, emailIndex, command, { eventId: () => randomUUID() })

  await portal.restart({})
  await until(async () => void (await portal.logIn(owner)))
  expect(await logInStatus()).toBe(401)
  await until(async () =>
    expect(await portal.refuse(getProfile, { token: former.token })).toMatchObject({ status: 401 }),
  )
})

test('ends the sessions from before a password change at the next start, and no later ones', async () => {
  await portal.register()
  const [first, kept] = [await portal.logIn(), await portal.logIn()]
  await portal.restart({ runs: false })
  const { eventStore, vault } = portal.parts
  const userId = first.user._id
  const { state } = await loadState(eventStore, userDecider, userId)
  if (state.status !== 'active') throw new Error('nobody is registered')
  const { sessionId } = claimsOf(kept.token)
  await handleCommand(
    eventStore,
    userDecider,
    userId,
    {
      type: 'ChangePassword',
      replaces: state.credential,
      credential: await vault.encrypt(userId, 'another hash'),
      endsSessions: { reason: 'password-changed', except: sessionId },
    },
    { eventId: () => randomUUID() },
  )
  const later = sessionIdSchema.parse(randomUUID())
  const start = {
    type: 'StartSession',
    sessionId: later,
    userId,
    expiresAt: new Date('2027-01-01'),
    deviceName: 'A browser',
  } as const
  await handleCommand(eventStore, sessionDecider, later, start, { eventId: () => randomUUID() })

  await portal.restart({})
  await until(async () =>
    expect(await portal.refuse(getProfile, { token: first.token })).toMatchObject({ status: 401 }),
  )
  await portal.call(getProfile, { token: kept.token })
  expect((await portal.recorded()).filter(({ type }) => type === 'SessionEnded').map(({ data }) => data)).toEqual([
    expect.objectContaining({ sessionId: claimsOf(first.token).sessionId, reason: 'password-changed' }),
  ])
})

test('completes an erasure after a crash at the next start', async () => {
  await portal.register()
  const { user } = await portal.logIn()
  await portal.restart({ runs: false })
  const { eventStore, vault } = portal.parts
  await handleCommand(eventStore, userDecider, user._id, { type: 'EraseUser' }, { eventId: () => randomUUID() })
  await portal.restart({})
  const isReleased = async () => (await portal.recorded()).some(({ type }) => type === 'EmailReleased')
  await until(async () => expect(await isReleased()).toBe(true))
  await expect(portal.parts.vault.encrypt(user._id, 'x')).rejects.toThrow('erased')
  expect(vault).not.toBe(portal.parts.vault)
  portal.world.passSeconds(60)
  await portal.register()
})

test('a changed role ends open sessions and applies to the directory and the next login', async () => {
  await portal.register()
  const { token, user } = await portal.logIn()
  const { eventStore, vault } = portal.parts
  const { state } = await loadState(eventStore, userDecider, user._id)
  if (state.status !== 'active') throw new Error('the user is not active')
  const { userId, credential } = state
  const emailIndex = vault.index('email', personalEmail)
  const data = { userId, role: 'admin', emailIndex, credential, by: 'operator' }
  await eventStore.append(`user-${userId}`, 'any', [{ id: randomUUID(), type: 'UserRoleChanged', data }])
  await until(async () => expect((await portal.inject(getProfile, { token })).statusCode).toBe(401))
  const ended = (await portal.recorded()).filter(({ type }) => type === 'SessionEnded')
  expect(ended).toMatchObject([{ data: { reason: 'role-changed' } }])
  const promoted = await portal.logIn()
  expect(promoted.user.role).toBe('admin')
  expect((await portal.call(listUsers, { token: promoted.token })).users).toMatchObject([{ role: 'admin' }])
})
