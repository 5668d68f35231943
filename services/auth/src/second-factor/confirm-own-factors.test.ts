import { addPasskey, beginPasskey, beginPasskeyProof, removePasskey } from '@portal/contracts/auth/passkeys'
import {
  beginTotp,
  confirmTotp,
  getSecondFactor,
  issueRecoveryCodes,
  removeSecondFactor,
  takeSecondStep,
} from '@portal/contracts/auth/second-factor'
import type { Authenticator } from '@portal/auth/testing/authenticator'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'
import { addPasskeyOf, newAuthenticator, passkeyOptions, proofBy } from '@portal/auth/testing/passkeys'
import { challengeOf, codeOf, enroll } from '@portal/auth/testing/second-factor'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const { password } = applicant
const wrong = 'This code is not right. Please try the current one.'
const usedBefore = 'This code was already used. Please wait for the next one.'
const wrongPasskey = 'This passkey did not work. Please try again.'

let portal: Harness
let token: string
let secret: string
let recoveryCodes: readonly string[]
let authenticator: Authenticator
let passkeyId: string

/** An account with an app and a passkey. */
beforeEach(async () => {
  portal = await startHarness()
  await portal.register()
  token = (await portal.logIn()).token
  ;({ secret, recoveryCodes } = await enroll(portal, token))
  authenticator = newAuthenticator()
  const code = recoveryCodes[9]
  passkeyId = (await addPasskeyOf(portal, token, authenticator, password, { code })).passkey.id
  portal.world.passSeconds(60)
})
afterEach(() => portal.stop())

/** The calls that change a second factor. Each can be made after one that was refused. */
const calls = [
  ['a new authenticator app', beginTotp],
  ['new recovery codes', issueRecoveryCodes],
  ['turning it off', removeSecondFactor],
  ['a new passkey', beginPasskey],
  ['the removal of a passkey', removePasskey],
] as const
type Change = (typeof calls)[number][1]

const callWith = (proof: object) => ({ token, params: { id: passkeyId }, body: { password, ...proof } })
const outcomeOf = async (change: Change, proof: object) => {
  const { statusCode, body } = await portal.inject(change, callWith(proof))
  return statusCode === 200 ? 'done' : JSON.parse(body).message
}
const events = async () => (await portal.recorded()).map(({ type }) => type)
const state = async () => (await portal.call(getSecondFactor, { token })).secondFactor

describe.each(calls)('%s', (_what, change) => {
  test('takes more than the password, and says so with a code of its own', async () => {
    const before = await events()
    expect(await portal.refuse(change, callWith({}))).toEqual({
      status: 403,
      success: false,
      code: 'second-factor-required',
      message:
        'Two-step verification is on. Please confirm with a code or a passkey, too. If nothing asks for it, reload this page.',
    })
    expect(await portal.refuse(change, callWith({ code: '000000' }))).toMatchObject({
      status: 400,
      message: wrong,
      errors: { code: wrong },
    })
    const stranger = newAuthenticator()
    expect(await outcomeOf(change, await proofBy(portal, token, stranger))).toBe(wrongPasskey)
    const right = callWith({ code: codeOf(portal, secret) })
    const withoutPassword = { ...right, body: { ...right.body, password: 'Wrong-guess-1' } }
    expect(await portal.refuse(change, withoutPassword)).toMatchObject({
      errors: { password: 'Your current password is incorrect' },
    })
    expect(await events()).toEqual(before)
    expect(await outcomeOf(change, { code: codeOf(portal, secret) })).toBe('done')
  })

  test('takes a code of the app that no login and no other change has used', async () => {
    const code = codeOf(portal, secret)
    const { challenge, cookie } = await challengeOf(portal)
    await portal.call(takeSecondStep, { cookie, body: { challenge, code } })
    expect(await outcomeOf(change, { code })).toBe(usedBefore)
    const next = codeOf(portal, secret, 30)
    expect(await outcomeOf(issueRecoveryCodes, { code: next })).toBe('done')
    expect(await outcomeOf(change, { code: next })).toBe(usedBefore)
  })

  test('takes a recovery code once', async () => {
    const [code] = recoveryCodes
    expect(await outcomeOf(beginTotp, { code })).toBe('done')
    expect(await outcomeOf(change, { code })).toBe(wrong)
    expect((await state()).recoveryCodesLeft).toBe(8)
    expect(await outcomeOf(change, { code: recoveryCodes[1] })).toBe('done')
  })

  test('takes what a passkey has signed once, for this session, within five minutes', async () => {
    const proof = () => proofBy(portal, token, authenticator)
    const { token: elsewhere } = await logInWith(recoveryCodes[0])
    const foreign = await proofBy(portal, elsewhere, authenticator)
    const again = 'Please use your passkey again.'
    expect(await outcomeOf(change, foreign)).toBe(again)
    const step = await challengeOf(portal)
    expect(await outcomeOf(change, { assertion: authenticator.sign(await passkeyOptions(portal, step)) })).toBe(again)
    const used = await proof()
    expect(await outcomeOf(beginTotp, used)).toBe('done')
    expect(await outcomeOf(change, used)).toBe(again)
    const late = await proof()
    portal.world.passSeconds(5 * 60)
    expect(await outcomeOf(change, late)).toBe(again)
    expect(await outcomeOf(change, await proof())).toBe('done')
  })
})

const logInWith = async (code: string | undefined) => {
  const { challenge, cookie } = await challengeOf(portal)
  return (await portal.call(takeSecondStep, { cookie, body: { challenge, code } })).data
}

test('wrong codes of changes and logins count together, while a recovery code goes on working', async () => {
  const { challenge, cookie } = await challengeOf(portal)
  const guess = (n: number) =>
    portal.inject(takeSecondStep, { cookie, body: { challenge, code: '000000' }, address: `198.51.100.${n}` })
  for (let n = 0; n < 6; n++) expect((await guess(n)).statusCode).toBe(400)
  for (let n = 0; n < 4; n++) expect(await outcomeOf(beginTotp, { code: '000000' })).toBe(wrong)
  expect(await portal.refuse(beginTotp, callWith({ code: codeOf(portal, secret) }))).toMatchObject({
    status: 429,
    message: 'Too many wrong attempts. Please try again in 15 minutes.',
  })
  expect((await guess(7)).statusCode).toBe(429)
  expect(await outcomeOf(beginTotp, { code: recoveryCodes[0] })).toBe('done')
})

test('a copied passkey confirms nothing, and the security log names it', async () => {
  const counting = newAuthenticator({ counter: 7 })
  await addPasskeyOf(portal, token, counting, password, { code: recoveryCodes[0] })
  counting.device.counter = 6
  expect(await outcomeOf(removeSecondFactor, await proofBy(portal, token, counting))).toMatch(
    /^This passkey may have been copied/,
  )
  const lines = portal.world.securityLog.text().trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ event: 'second-step', result: 'refused', code: 'passkey-copied' }),
  )
})

describe('what began with the password alone, before two-step verification was on', () => {
  beforeEach(async () => {
    await portal.call(removeSecondFactor, callWith({ code: recoveryCodes[0] }))
  })

  test('adds no passkey after it', async () => {
    const { options } = await portal.call(beginPasskey, callWith({}))
    await enroll(portal, token)
    const body = { credential: newAuthenticator().create(options) }
    expect(await portal.refuse(addPasskey, { token, body })).toMatchObject({
      status: 409,
      message: 'This set-up has expired. Please start again.',
    })
    expect((await state()).passkeys).toEqual([])
  })

  test('and no app', async () => {
    const offer = await portal.call(beginTotp, callWith({}))
    await addPasskeyOf(portal, token, newAuthenticator())
    const body = { code: codeOf(portal, offer.secret) }
    expect(await portal.refuse(confirmTotp, { token, body })).toMatchObject({ status: 409 })
    expect((await state()).totp).toBe(false)
  })
})

test('a passkey is asked for only where there is one', async () => {
  await portal.call(removePasskey, callWith({ code: recoveryCodes[0] }))
  expect(await portal.refuse(beginPasskeyProof, { token })).toMatchObject({ status: 409 })
})
