import { changePassword, getProfile, logIn } from '@portal/contracts/auth/http'
import {
  addPasskey,
  addRequiredPasskey,
  beginPasskey,
  beginPasskeyStep,
  beginRequiredPasskey,
  maxPasskeys,
  removePasskey,
} from '@portal/contracts/auth/passkeys'
import { getSecondFactor, removeSecondFactor, takeSecondStep } from '@portal/contracts/auth/second-factor'
import type { Authenticator } from '@portal/auth/testing/authenticator'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'
import {
  addPasskeyOf,
  logInByPasskey,
  newAuthenticator,
  passkeyOptions,
  proofBy,
  sendSigned,
} from '@portal/auth/testing/passkeys'
import { challengeOf, enroll } from '@portal/auth/testing/second-factor'
import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { until } from '@portal/platform/testing/until'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let portal: Harness
let token: string
const { personalEmail, password } = applicant

beforeEach(async () => {
  portal = await startHarness()
  await portal.register()
  token = (await portal.logIn()).token
})
afterEach(() => portal.stop())

const state = async (by = token) => (await portal.call(getSecondFactor, { token: by })).secondFactor
/** The authenticator that confirms further changes. */
let known: Authenticator | undefined
beforeEach(() => {
  known = undefined
})
const proof = async () => (known ? proofBy(portal, token, known) : {})
const add = async (authenticator = newAuthenticator()) => {
  const added = await addPasskeyOf(portal, token, authenticator, password, await proof())
  known ??= authenticator
  return added
}
const begin = async () => (await portal.call(beginPasskey, { token, body: { password, ...(await proof()) } })).options
const remove = async (id: string) =>
  portal.call(removePasskey, { token, params: { id }, body: { password, ...(await proof()) } })
const offer = (credential: unknown) => portal.refuse(addPasskey, { token, body: { credential } })
const outcomeOf = ({ statusCode, body }: { readonly statusCode: number; readonly body: string }) =>
  statusCode === 200 ? 'logged in' : JSON.parse(body).message
const factorsOf = async () => {
  const response = await portal.inject(logIn, { body: { personalEmail, password } })
  return response.json().secondStep
}
const recordedTypes = async () =>
  (await portal.recorded()).filter(({ stream }) => stream.startsWith('secondfactor-')).map(({ type }) => type)
const securityLog = () =>
  portal.world.securityLog
    .text()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const failed = 'This passkey did not work. Please try again.'
const again = 'Please use your passkey again.'
const tookTooLong = 'This took too long. Please log in again.'
const setUpExpired = 'This set-up has expired. Please start again.'

describe('adding a passkey', () => {
  test('takes the password, and brings recovery codes with the first one only', async () => {
    expect(await portal.refuse(beginPasskey, { token, body: { password: 'Wrong-guess-1' } })).toMatchObject({
      status: 400,
      errors: { password: 'Your current password is incorrect' },
    })
    const { challenge, user, excludeCredentials, ...rest } = await begin()
    expect(rest).toEqual({
      rp: { id: 'portal.example', name: 'Minor Programs' },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
      timeout: 300_000,
      attestation: 'none',
      authenticatorSelection: { residentKey: 'discouraged', requireResidentKey: false, userVerification: 'preferred' },
    })
    expect([challenge.length > 40, excludeCredentials]).toEqual([true, []])
    expect(user).toMatchObject({ name: personalEmail, displayName: applicant.fullName })
    const authenticator = newAuthenticator()
    const first = await add(authenticator)
    expect(first).toMatchObject({
      message: 'Passkey added',
      passkey: { label: 'A browser', addedAt: '2026-03-02T09:00:00.000Z' },
    })
    expect(new Set(first.recoveryCodes).size).toBe(10)
    const next = await begin()
    expect(next.excludeCredentials).toEqual([
      { id: authenticator.id, type: 'public-key', transports: ['internal', 'hybrid'] },
    ])
    // Another account of the same person in the authenticator would replace the first passkey.
    expect(next.user).toEqual(user)
    const second = await add()
    expect(second.recoveryCodes).toEqual([])
    expect(await state()).toEqual({
      totp: false,
      passkeys: [{ ...first.passkey, lastUsedOn: '2026-03-02' }, second.passkey],
      canAddPasskeys: true,
      recoveryCodesLeft: 10,
      isRequired: false,
    })
  })

  test('leaves recovery codes that came with an app as they are, and the other way round', async () => {
    const { recoveryCodes } = await enroll(portal, token)
    const authenticator = newAuthenticator()
    const withCode = { code: recoveryCodes[1] }
    expect((await addPasskeyOf(portal, token, authenticator, password, withCode)).recoveryCodes).toEqual([])
    const step = await challengeOf(portal)
    const taken = await portal.inject(takeSecondStep, {
      cookie: step.cookie,
      body: { challenge: step.challenge, code: recoveryCodes[0] },
    })
    expect(taken.statusCode).toBe(200)
    await portal.call(removeSecondFactor, { token, body: { password, code: recoveryCodes[2] } })
    expect((await add()).recoveryCodes).toHaveLength(10)
    expect((await enroll(portal, token, password, await proof())).recoveryCodes).toEqual([])
    expect(await state()).toMatchObject({ totp: true, recoveryCodesLeft: 10 })
  })

  test('takes each passkey once, and five of them', async () => {
    const authenticator = newAuthenticator()
    for (let n = 1; n < maxPasskeys; n++) await add()
    const options = await begin()
    await add(authenticator)
    expect(await offer(authenticator.create(options))).toMatchObject({
      status: 409,
      message: 'This passkey was already added',
    })
    const body = { password, ...(await proof()) }
    expect(await portal.refuse(beginPasskey, { token, body })).toMatchObject({
      status: 409,
      message: 'You have 5 passkeys. Remove one to add another.',
    })
  })

  test('takes the answer to each challenge once, in the same session, within five minutes', async () => {
    const options = await begin()
    const { token: elsewhere } = await portal.logIn()
    const authenticator = newAuthenticator()
    const credential = authenticator.create(options)
    expect(await portal.refuse(addPasskey, { token: elsewhere, body: { credential } })).toMatchObject({
      status: 409,
      message: setUpExpired,
    })
    const { passkey } = await portal.call(addPasskey, { token, body: { credential } })
    const { assertion } = await proofBy(portal, token, authenticator)
    await portal.call(removePasskey, { token, params: { id: passkey.id }, body: { password, assertion } })
    expect(await offer(credential)).toMatchObject({ message: setUpExpired })
    const late = await begin()
    portal.world.passSeconds(5 * 60)
    expect(await offer(newAuthenticator().create(late))).toMatchObject({ message: setUpExpired })
    expect((await state()).passkeys).toEqual([])
  })

  test('is refused for another page, another address, certificates and what is no passkey', async () => {
    const refusal = { status: 400, message: failed }
    const foreign = newAuthenticator({ origin: 'https://portal.example.evil.example' })
    expect(await offer(foreign.create(await begin()))).toMatchObject(refusal)
    const options = await begin()
    const elsewhere = newAuthenticator().create({ ...options, rp: { ...options.rp, id: 'evil.example' } })
    expect(await offer(elsewhere)).toMatchObject(refusal)
    for (const fmt of ['apple', 'android-key', 'packed', 'tpm']) {
      const statement = { fmt, certificate: new Uint8Array(40) }
      expect(await offer(newAuthenticator({ statement }).create(await begin()))).toMatchObject(refusal)
    }
    const valid = newAuthenticator().create(await begin())
    const broken = { ...valid, response: { ...valid.response, attestationObject: 'AAAA' } }
    expect(await offer(broken)).toMatchObject(refusal)
    expect(await offer({ ...valid, response: { ...valid.response, clientDataJSON: 'AAAA' } })).toMatchObject({
      message: setUpExpired,
    })
    expect(await offer({ ...valid, id: '' })).toMatchObject({ status: 400 })
    expect((await state()).passkeys).toEqual([])
  })
})

describe('a login', () => {
  test('is finished with a passkey, also of one that cannot check who uses it', async () => {
    const authenticator = newAuthenticator({ verifiesUser: false })
    await add(authenticator)
    expect(await factorsOf()).toMatchObject({ kind: 'code', factors: ['passkey'] })
    const step = await challengeOf(portal)
    const options = await passkeyOptions(portal, step)
    expect(options).toMatchObject({
      rpId: 'portal.example',
      userVerification: 'preferred',
      allowCredentials: [{ id: authenticator.id, transports: ['internal', 'hybrid'] }],
    })
    const answer = await sendSigned(portal, step, authenticator.sign(options))
    expect(logIn.response.parse(answer.json()).message).toBe('Login successful! Redirecting...')
    expect(String(answer.headers['set-cookie'])).toContain('__Host-portal_session=')
    const { token: itsToken } = logIn.response.parse(answer.json()).data
    await portal.call(getProfile, { token: itsToken })
    expect((await state()).passkeys).toMatchObject([{ lastUsedOn: '2026-03-02' }])
  })

  test('names what it can be finished with: passkey, code or both', async () => {
    const { recoveryCodes } = await enroll(portal, token)
    expect(await factorsOf()).toMatchObject({ kind: 'code', factors: ['totp'] })
    const step = await challengeOf(portal)
    expect(
      await portal.refuse(beginPasskeyStep, { cookie: step.cookie, body: { challenge: step.challenge } }),
    ).toMatchObject({ status: 409 })
    const authenticator = newAuthenticator()
    await addPasskeyOf(portal, token, authenticator, password, { code: recoveryCodes[0] })
    expect(await factorsOf()).toMatchObject({ kind: 'code', factors: ['totp', 'passkey'] })
    expect(outcomeOf(await logInByPasskey(portal, authenticator))).toBe('logged in')
  })

  test('takes a signature once, in the login that asked for it', async () => {
    const authenticator = newAuthenticator()
    await add(authenticator)
    const step = await challengeOf(portal)
    const signed = authenticator.sign(await passkeyOptions(portal, step))
    portal.world.passSeconds(1)
    const other = await challengeOf(portal)
    expect(outcomeOf(await sendSigned(portal, other, signed))).toBe(again)
    expect(outcomeOf(await sendSigned(portal, { ...step, cookie: other.cookie }, signed))).toBe(tookTooLong)
    const both = await Promise.all([sendSigned(portal, step, signed), sendSigned(portal, step, signed)])
    expect(both.map(outcomeOf).toSorted()).toEqual([again, 'logged in'].toSorted())
    expect(outcomeOf(await sendSigned(portal, step, signed))).toBe(again)
    const creation = await begin()
    const swapped = authenticator.sign({
      ...creation,
      rpId: creation.rp.id,
      allowCredentials: [],
      userVerification: 'preferred',
    })
    expect(outcomeOf(await sendSigned(portal, step, swapped))).toBe(again)
    await portal.restart()
    expect(outcomeOf(await logInByPasskey(portal, authenticator))).toBe('logged in')
  })

  test('ends five minutes after the password, and with another password', async () => {
    const authenticator = newAuthenticator()
    await add(authenticator)
    const step = await challengeOf(portal)
    const options = await passkeyOptions(portal, step)
    portal.world.passSeconds(5 * 60)
    expect(outcomeOf(await sendSigned(portal, step, authenticator.sign(options)))).toBe(tookTooLong)
    const latest = await challengeOf(portal)
    const signed = authenticator.sign(await passkeyOptions(portal, latest))
    const change = { currentPassword: password, newPassword: 'Haystack-2026' }
    await portal.call(changePassword, { token, body: change })
    expect(outcomeOf(await sendSigned(portal, latest, signed))).toBe(tookTooLong)
  })

  test('refuses the signature of another page, another key, and an unknown or removed passkey', async () => {
    const [own, other] = [newAuthenticator(), newAuthenticator()]
    const { passkey } = await add(own)
    await add()
    const step = await challengeOf(portal)
    const attempt = async (credential: unknown) => outcomeOf(await sendSigned(portal, step, credential))
    const options = () => passkeyOptions(portal, step)
    own.device.origin = 'https://portal.example.evil.example'
    expect(await attempt(own.sign(await options()))).toBe(failed)
    own.device.origin = 'https://portal.example'
    expect(await attempt(own.sign({ ...(await options()), rpId: 'evil.example' }))).toBe(failed)
    expect(await attempt({ ...other.sign(await options()), id: own.id })).toBe(failed)
    expect(await attempt(other.sign(await options()))).toBe(failed)
    const { response, ...credential } = own.sign(await options())
    expect(await attempt({ ...credential, response: { ...response, authenticatorData: 'AAAA' } })).toBe(failed)
    const late = own.sign(await options())
    await remove(passkey.id)
    expect(await attempt(late)).toBe(failed)
  })

  test('limits signatures that do not work for each address, while a recovery code goes on working', async () => {
    const { recoveryCodes } = await add()
    const step = await challengeOf(portal)
    const stranger = newAuthenticator()
    for (let n = 0; n < 10; n++) {
      const signed = stranger.sign(await passkeyOptions(portal, step))
      expect((await sendSigned(portal, step, signed)).statusCode).toBe(400)
    }
    const signed = stranger.sign(await passkeyOptions(portal, step))
    expect((await sendSigned(portal, step, signed)).json()).toMatchObject({
      code: 'too-many-requests',
      message: 'Too many wrong attempts. Please try again in 15 minutes.',
    })
    expect((await sendSigned(portal, step, signed, '198.51.100.7')).statusCode).toBe(400)
    const code = { challenge: step.challenge, code: recoveryCodes[0] }
    expect((await portal.inject(takeSecondStep, { cookie: step.cookie, body: code })).statusCode).toBe(200)
  })

  test('refuses a passkey whose counter went back, and the security log names it; a forged one does not count', async () => {
    const authenticator = newAuthenticator({ counter: 7 })
    await add(authenticator)
    const withCounter = async (counter: number) => {
      authenticator.device.counter = counter
      return outcomeOf(await logInByPasskey(portal, authenticator))
    }
    expect(await withCounter(8)).toBe('logged in')
    const copied = /^This passkey may have been copied/
    expect(await withCounter(8)).toMatch(copied)
    expect(await withCounter(0)).toMatch(copied)
    const forger = newAuthenticator({ counter: 1 })
    const step = await challengeOf(portal)
    const signed = { ...forger.sign(await passkeyOptions(portal, step)), id: authenticator.id }
    expect(outcomeOf(await sendSigned(portal, step, signed))).toBe(failed)
    expect(await withCounter(9)).toBe('logged in')
    const refused = securityLog().filter(({ event, result }) => event === 'second-step' && result === 'refused')
    // Equal refusals of a second are one line.
    expect([...new Set(refused.map(({ code }) => code))]).toEqual(['passkey-copied', 'invalid'])
    expect(refused[0].target).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('records the uses of a passkey without a counter once a day', async () => {
    const authenticator = newAuthenticator()
    await add(authenticator)
    for (let n = 0; n < 3; n++) await logInByPasskey(portal, authenticator)
    portal.world.passSeconds(24 * 60 * 60)
    await logInByPasskey(portal, authenticator)
    expect(await recordedTypes()).toEqual(['PasskeyAdded', 'RecoveryCodesIssued', 'PasskeyUsed', 'PasskeyUsed'])
    expect((await state()).passkeys).toMatchObject([{ lastUsedOn: '2026-03-03' }])
  })
})

describe('removing a passkey', () => {
  test('takes the password, and the last one turns two-step verification off', async () => {
    const [first, second] = [await add(), await add()]
    const call = async (typed = password) => ({
      token,
      params: { id: second.passkey.id },
      body: { password: typed, ...(await proof()) },
    })
    expect(await portal.refuse(removePasskey, await call('Wrong-guess-1'))).toMatchObject({ status: 400 })
    await remove(second.passkey.id)
    expect(await portal.refuse(removePasskey, await call())).toMatchObject({ status: 404 })
    expect((await state()).passkeys).toMatchObject([{ id: first.passkey.id }])
    await remove(first.passkey.id)
    expect(await state()).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 })
    expect((await portal.logIn()).user.personalEmail).toBe(personalEmail)
    expect((await recordedTypes()).slice(-2)).toEqual(['PasskeyRemoved', 'SecondFactorRemoved'])
  })

  test('is no matter of another account', async () => {
    const { passkey } = await add()
    const other = { ...applicant, personalEmail: 'ravi@example.com', mobileNumber: '9876501235' }
    await portal.register(other)
    const { token: theirs } = await portal.logIn(other)
    const call = { token: theirs, params: { id: passkey.id }, body: { password } }
    expect(await portal.refuse(removePasskey, call)).toMatchObject({ status: 404 })
  })
})

test('after an erasure nothing can read the passkey, and its id is nowhere in the clear', async () => {
  const authenticator = newAuthenticator()
  await add(authenticator)
  const added = (await portal.recorded()).find(({ type }) => type === 'PasskeyAdded')
  const { userId, credentialId, publicKey } = Object(added?.data)
  const read = (text: string) => portal.parts.vault.decrypt(userId, encryptedTextSchema.parse(text))
  expect(await read(credentialId)).toBe(authenticator.id)
  expect(await read(publicKey)).toMatch(/^[\w-]{90,}$/)
  expect(portal.bytesOnDisk()).not.toContain(authenticator.id)
  await portal.parts.vault.erase(userIdSchema.parse(userId))
  expect([await read(credentialId), await read(publicKey)]).toEqual([undefined, undefined])
})

test('the security log has each change and each login with a passkey, and that the last one turns it off', async () => {
  const authenticator = newAuthenticator()
  const { passkey } = await add(authenticator)
  await logInByPasskey(portal, authenticator)
  await remove(passkey.id)
  const own = securityLog().filter(({ event }) => ['second-factor-changed', 'second-step'].includes(event))
  expect(own.map(({ event, result, code }) => [event, result, code].join(' '))).toEqual([
    'second-factor-changed ok passkey-offered',
    'second-factor-changed ok passkey-added',
    'second-step ok requested',
    'second-step ok passkey',
    'second-factor-changed ok removed',
    'second-factor-changed ok passkey-removed',
  ])
})

describe('at an address where browsers make no passkeys', () => {
  const cannot = 'Passkeys do not work at this address of the portal. Please use an authenticator app.'
  const at = (publicOrigin: string | undefined) => portal.restart({ site: { publicOrigin, port: 3_000 } })

  test.each([['http://portal.example'], ['https://192.0.2.7'], ['https://[2001:db8::7]:8443'], [undefined]])(
    'none is offered, and the answer says why: %s',
    async (publicOrigin) => {
      const authenticator = newAuthenticator()
      const { recoveryCodes } = await add(authenticator)
      await at(publicOrigin)
      expect(await state()).toMatchObject({ canAddPasskeys: false })
      const confirmed = { password, code: recoveryCodes[1] }
      expect(await portal.refuse(beginPasskey, { token, body: confirmed })).toMatchObject({
        status: 409,
        message: cannot,
      })
      expect(await factorsOf()).toMatchObject({ kind: 'code', factors: [] })
      const { challenge, cookie } = await challengeOf(portal)
      expect(await portal.refuse(beginPasskeyStep, { cookie, body: { challenge } })).toMatchObject({ message: cannot })
      const body = { challenge, code: recoveryCodes[0] }
      expect((await portal.inject(takeSecondStep, { cookie, body })).statusCode).toBe(200)
    },
  )

  test('localhost needs no configured address', async () => {
    await at(undefined)
    const headers = { host: 'localhost:5173', origin: 'http://localhost:5173' }
    const { secondFactor } = await portal.call(getSecondFactor, { token, headers: { host: 'localhost:5173' } })
    expect(secondFactor).toMatchObject({ canAddPasskeys: true })
    const { options } = await portal.call(beginPasskey, { token, headers, body: { password } })
    expect(options.rp.id).toBe('localhost')
    const credential = newAuthenticator({ origin: 'http://localhost:5173' }).create(options)
    await portal.call(addPasskey, { token, headers, body: { credential } })
  })
})

describe('with ADMIN_MFA=required', () => {
  const root = { personalEmail: 'root@example.com', password: 'Banyan-2026' }
  beforeEach(async () => {
    await portal.restart({ adminMfa: 'required' })
    await portal.parts.auth.ensureFirstAdmin({ email: root.personalEmail, password: root.password })
    await until(async () => expect((await challengeOf(portal, root)).kind).toBe('set-up'))
  })

  test('an admin sets up a passkey at the login, which is then enough, and keeps the last second factor', async () => {
    const step = await challengeOf(portal, root)
    expect(step).toMatchObject({ kind: 'set-up', factors: ['totp', 'passkey'] })
    const call = { cookie: step.cookie, body: { challenge: step.challenge } }
    const { options } = await portal.call(beginRequiredPasskey, call)
    const authenticator = newAuthenticator()
    const credential = authenticator.create(options)
    const { data, recoveryCodes } = await portal.call(addRequiredPasskey, {
      ...call,
      body: { ...call.body, credential },
    })
    expect(recoveryCodes).toHaveLength(10)
    const { passkeys = [], isRequired } = await state(data.token)
    expect([passkeys.length, isRequired]).toEqual([1, true])
    expect(await portal.refuse(beginRequiredPasskey, call)).toMatchObject({ status: 409 })
    const next = await challengeOf(portal, root)
    expect(next.kind).toBe('code')
    const signed = authenticator.sign(await passkeyOptions(portal, next))
    expect(outcomeOf(await sendSigned(portal, next, signed))).toBe('logged in')
    const withCode = (code: string | undefined) => ({
      token: data.token,
      params: { id: passkeys[0]?.id ?? '' },
      body: { password: root.password, code },
    })
    expect(await portal.refuse(removePasskey, withCode(recoveryCodes[0]))).toMatchObject({
      status: 409,
      message: 'Admins need two-step verification',
    })
    await enroll(portal, data.token, root.password, { code: recoveryCodes[1] })
    await portal.call(removePasskey, withCode(recoveryCodes[2]))
  })
})
