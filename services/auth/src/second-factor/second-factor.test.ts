import { changePassword, getProfile, logIn } from '@portal/contracts/auth/http'
import {
  beginRequiredTotp,
  beginTotp,
  confirmRequiredTotp,
  confirmTotp,
  getSecondFactor,
  issueRecoveryCodes,
  removeSecondFactor,
  takeSecondStep,
} from '@portal/contracts/auth/second-factor'
import { createPasswordHashing } from '@portal/auth/passwords/password-hashing'
import { applicant, type Harness, lowCost, startHarness } from '@portal/auth/testing/harness'
import { challengeOf, codeOf, enroll } from '@portal/auth/testing/second-factor'
import { until } from '@portal/platform/testing/until'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { applyAdminGrant } from '../admin-grant/apply-admin-grant.ts'
import { prepareAdminGrant } from '../admin-grant/prepare-admin-grant.ts'

let portal: Harness
let token: string
const { personalEmail, password } = applicant

beforeEach(async () => {
  portal = await startHarness()
  await portal.register()
  token = (await portal.logIn()).token
})
afterEach(() => portal.stop())

const state = async () => (await portal.call(getSecondFactor, { token })).secondFactor
const off = { totp: false, passkeys: [], canAddPasskeys: true, recoveryCodesLeft: 0, isRequired: false }
type Step = Awaited<ReturnType<typeof challengeOf>>
const attempt = ({ challenge, cookie }: Step, code: string, address?: string) =>
  portal.inject(takeSecondStep, { body: { challenge, code }, cookie, ...(address !== undefined && { address }) })
/** The second step of a new login. */
const logInWith = async (code: string) => attempt(await challengeOf(portal), code)
const outcomeOf = async (code: string) => {
  const { statusCode, body } = await logInWith(code)
  return statusCode === 200 ? 'logged in' : JSON.parse(body).message
}
const wrong = 'This code is not right. Please try the current one.'
const usedBefore = 'This code was already used. Please wait for the next one.'
const tookTooLong = 'This took too long. Please log in again.'

describe('turning it on', () => {
  test('asks for the password, gives a secret, and takes effect with the first right code', async () => {
    const begin = (typed: string) => ({ token, body: { password: typed } })
    expect(await portal.refuse(beginTotp, begin('Wrong-guess-1'))).toMatchObject({
      status: 400,
      errors: { password: 'Your current password is incorrect' },
    })
    const { secret, uri } = await portal.call(beginTotp, begin(password))
    expect(uri).toBe(
      `otpauth://totp/Minor%20Programs:asha.verma%40example.com?secret=${secret}&issuer=Minor%20Programs`,
    )
    expect(await portal.refuse(confirmTotp, { token, body: { code: '000000' } })).toMatchObject({
      status: 400,
      errors: { code: wrong },
    })
    expect(await state()).toEqual(off)
    expect((await portal.logIn()).user.personalEmail).toBe(personalEmail)
    const code = codeOf(portal, secret)
    const { recoveryCodes } = await portal.call(confirmTotp, {
      token,
      body: { code: `${code.slice(0, 3)} ${code.slice(3)}` },
    })
    expect(new Set(recoveryCodes).size).toBe(10)
    expect(await state()).toEqual({ ...off, totp: true, recoveryCodesLeft: 10 })
  })

  test('is over after a quarter of an hour, and the open session goes on', async () => {
    const { secret } = await portal.call(beginTotp, { token, body: { password } })
    portal.world.passSeconds(15 * 60)
    const body = { code: codeOf(portal, secret) }
    expect(await portal.refuse(confirmTotp, { token, body })).toMatchObject({ status: 409 })
    await enroll(portal, token)
    await portal.call(getProfile, { token })
  })
})

describe('a login', () => {
  test('answers the right password with a challenge, starts no session, and says nothing about a wrong one', async () => {
    await enroll(portal, token)
    const before = (await portal.recorded()).length
    const response = await portal.inject(logIn, { body: { personalEmail, password } })
    expect(response.statusCode).toBe(401)
    expect(response.json()).toMatchObject({ code: 'unauthenticated', secondStep: { kind: 'code' } })
    expect(String(response.headers['set-cookie'])).toMatch(
      /^__Host-portal_second_step=[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Strict; Secure$/,
    )
    expect(await portal.recorded()).toHaveLength(before)
    const refused = await portal.refuse(logIn, { body: { personalEmail, password: 'Wrong-guess-1' } })
    expect(refused).toEqual({ status: 401, success: false, code: 'unauthenticated', message: 'Invalid credentials' })
  })

  test('takes the codes of this time step and the two beside it, each once, also after a restart', async () => {
    const { secret } = await enroll(portal, token)
    expect(await outcomeOf(codeOf(portal, secret))).toBe(usedBefore)
    portal.world.passSeconds(300)
    const code = codeOf(portal, secret)
    const answer = await logInWith(code)
    expect(logIn.response.parse(answer.json()).message).toBe('Login successful! Redirecting...')
    expect(String(answer.headers['set-cookie'])).toContain('__Host-portal_session=')
    await portal.restart()
    expect(await outcomeOf(code)).toBe(usedBefore)
    expect(await outcomeOf(codeOf(portal, secret, -30))).toBe('logged in')
    expect(await outcomeOf(codeOf(portal, secret, 30))).toBe('logged in')
    expect(await outcomeOf(codeOf(portal, secret, -60))).toBe(wrong)
    expect(await outcomeOf(codeOf(portal, secret, 60))).toBe(wrong)
  })

  test('goes on after the clock was set back, without taking a code twice', async () => {
    const { secret } = await enroll(portal, token)
    portal.world.passSeconds(60)
    const code = codeOf(portal, secret)
    expect(await outcomeOf(code)).toBe('logged in')
    portal.world.passSeconds(3_600)
    expect(await outcomeOf(codeOf(portal, secret))).toBe('logged in')
    portal.world.passSeconds(-3_600)
    expect(await outcomeOf(code)).toBe(usedBefore)
    portal.world.passSeconds(30)
    expect(await outcomeOf(codeOf(portal, secret))).toBe('logged in')
  })

  test('lets one of two concurrent requests have a code', async () => {
    const { secret } = await enroll(portal, token)
    portal.world.passSeconds(60)
    const step = await challengeOf(portal)
    const code = codeOf(portal, secret)
    const statuses = (await Promise.all([attempt(step, code), attempt(step, code)])).map(({ statusCode }) => statusCode)
    expect(statuses.toSorted()).toEqual([200, 400])
  })

  test('takes each recovery code once, however it is typed', async () => {
    const { recoveryCodes } = await enroll(portal, token)
    const [first = '', second = ''] = recoveryCodes
    expect(await outcomeOf(first)).toBe('logged in')
    expect(await outcomeOf(first)).toBe(wrong)
    expect(await outcomeOf(` ${second.toUpperCase().replace('-', ' ')}`)).toBe('logged in')
    expect((await state()).recoveryCodesLeft).toBe(8)
    const renewed = await portal.call(issueRecoveryCodes, { token, body: { password, code: recoveryCodes[2] } })
    expect(await outcomeOf(recoveryCodes[3] ?? '')).toBe(wrong)
    expect(await outcomeOf(renewed.recoveryCodes[0] ?? '')).toBe('logged in')
    expect((await state()).recoveryCodesLeft).toBe(9)
  })

  test('needs the challenge of the same browser, within five minutes, for the current password', async () => {
    const { secret } = await enroll(portal, token)
    portal.world.passSeconds(60)
    const step = await challengeOf(portal)
    const elsewhere = await challengeOf(portal)
    const code = codeOf(portal, secret)
    const refusals = [
      await attempt({ ...step, cookie: elsewhere.cookie }, code),
      await portal.inject(takeSecondStep, { body: { challenge: step.challenge, code } }),
      await attempt({ ...step, challenge: step.challenge.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }, code),
      await attempt({ ...step, challenge: 'x' }, code),
    ]
    for (const refusal of refusals)
      expect(refusal.json()).toMatchObject({ code: 'unauthenticated', message: tookTooLong })
    const cookieCall = { cookie: step.cookie, body: { challenge: step.challenge } }
    expect(await portal.refuse(beginRequiredTotp, cookieCall)).toMatchObject({ message: tookTooLong })
    portal.world.passSeconds(5 * 60)
    expect((await attempt(step, codeOf(portal, secret))).json()).toMatchObject({ message: tookTooLong })
    const latest = await challengeOf(portal)
    const change = { currentPassword: password, newPassword: 'Haystack-2026' }
    await portal.call(changePassword, { token, body: change })
    expect((await attempt(latest, codeOf(portal, secret))).json()).toMatchObject({ message: tookTooLong })
  })

  test('limits wrong codes of an account, while its recovery codes go on working', async () => {
    const { secret, recoveryCodes } = await enroll(portal, token)
    portal.world.passSeconds(60)
    const step = await challengeOf(portal)
    for (let n = 0; n < 10; n++) expect((await attempt(step, '000000', `198.51.100.${n}`)).statusCode).toBe(400)
    expect((await attempt(step, codeOf(portal, secret))).json()).toMatchObject({
      code: 'too-many-requests',
      message: 'Too many wrong attempts. Please try again in 15 minutes.',
    })
    expect((await attempt(step, recoveryCodes[0] ?? '')).statusCode).toBe(200)
    portal.world.passSeconds(15 * 60)
    expect(await outcomeOf(codeOf(portal, secret))).toBe('logged in')
  })
})

describe('turning it off', () => {
  test('asks for the password, and the next login needs no code', async () => {
    const { recoveryCodes } = await enroll(portal, token)
    expect(await portal.refuse(removeSecondFactor, { token, body: { password: 'Wrong-guess-1' } })).toMatchObject({
      status: 400,
    })
    await portal.call(removeSecondFactor, { token, body: { password, code: recoveryCodes[0] } })
    expect(await state()).toEqual(off)
    expect((await portal.logIn()).user.personalEmail).toBe(personalEmail)
    expect(await portal.refuse(issueRecoveryCodes, { token, body: { password } })).toMatchObject({ status: 409 })
  })

  test('is what `make admin` does to an account, after it has ended password and sessions', async () => {
    await enroll(portal, token)
    const { eventStore, vault } = portal.parts
    const { clockAndIds } = portal.world
    const passwords = createPasswordHashing({ cost: lowCost, threads: 1, niceness: 0 })
    const deps = { log: eventStore, vault, passwords, clockAndIds }
    const prepared = await prepareAdminGrant(deps, { email: personalEmail, by: 'operator' })
    await passwords.close()
    if (!prepared.ok) throw new Error(prepared.error)
    const apply = () => applyAdminGrant(eventStore, prepared.value.grant, clockAndIds.now())
    await apply()
    await apply()
    const events = (await portal.recorded()).filter(({ type }) =>
      ['UserPasswordChanged', 'SecondFactorRemoved'].includes(type),
    )
    expect(events.map(({ type }) => type)).toEqual(['UserPasswordChanged', 'SecondFactorRemoved'])
    expect(events[1]?.data).toMatchObject({ by: 'operator' })
  })
})

test('the security log has each change and each second step, refused or not', async () => {
  const { recoveryCodes } = await enroll(portal, token)
  await outcomeOf('000000')
  await outcomeOf(recoveryCodes[0] ?? '')
  await portal.call(removeSecondFactor, { token, body: { password, code: recoveryCodes[1] } })
  const lines = portal.world.securityLog
    .text()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const own = lines.filter(({ event }) => ['second-factor-changed', 'second-step'].includes(event))
  expect(own.map(({ event, result, code }) => [event, result, code].join(' '))).toEqual([
    'second-factor-changed ok totp-offered',
    'second-factor-changed ok totp-enrolled',
    'second-step ok requested',
    'second-step refused invalid',
    'second-step ok requested',
    'second-step ok code',
    'second-factor-changed ok removed',
  ])
})

describe('with ADMIN_MFA=required', () => {
  const root = { personalEmail: 'root@example.com', password: 'Banyan-2026' }
  beforeEach(async () => {
    await portal.restart({ adminMfa: 'required' })
    await portal.parts.auth.ensureFirstAdmin({ email: root.personalEmail, password: root.password })
    await until(async () => expect((await challengeOf(portal, root)).kind).toBe('set-up'))
  })
  const setUp = async () => {
    const { challenge, cookie, kind } = await challengeOf(portal, root)
    const { secret } = await portal.call(beginRequiredTotp, { cookie, body: { challenge } })
    return { kind, challenge, cookie, secret }
  }

  test('an admin without it can only set it up, and is logged in by the first code', async () => {
    const { kind, challenge, cookie, secret } = await setUp()
    expect(kind).toBe('set-up')
    expect((await attempt({ kind, challenge, cookie }, codeOf(portal, secret))).statusCode).toBe(401)
    const confirm = (code: string) => ({ cookie, body: { challenge, code } })
    expect(await portal.refuse(confirmRequiredTotp, confirm('000000'))).toMatchObject({ message: wrong })
    const { data, recoveryCodes } = await portal.call(confirmRequiredTotp, confirm(codeOf(portal, secret)))
    expect(recoveryCodes).toHaveLength(10)
    const { secondFactor } = await portal.call(getSecondFactor, { token: data.token })
    expect(secondFactor).toEqual({ ...off, totp: true, recoveryCodesLeft: 10, isRequired: true })
    const body = { password: root.password }
    expect(await portal.refuse(removeSecondFactor, { token: data.token, body })).toMatchObject({ status: 409 })
    expect((await challengeOf(portal, root)).kind).toBe('code')
  })

  test('a challenge for setting it up cannot replace what was set up meanwhile', async () => {
    const late = await setUp()
    const { challenge, cookie, secret } = await setUp()
    await portal.call(confirmRequiredTotp, { cookie, body: { challenge, code: codeOf(portal, secret) } })
    const again = { cookie: late.cookie, body: { challenge: late.challenge } }
    expect(await portal.refuse(beginRequiredTotp, again)).toMatchObject({ status: 409 })
    const confirm = { ...again, body: { ...again.body, code: codeOf(portal, late.secret) } }
    expect(await portal.refuse(confirmRequiredTotp, confirm)).toMatchObject({ status: 409 })
  })

  test('learners log in as before', async () => {
    expect((await portal.logIn()).user.role).toBe('student')
  })
})
