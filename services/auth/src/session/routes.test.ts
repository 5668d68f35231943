import { getProfile, logIn, logOut } from '@portal/contracts/auth/http'
import { sessionCookie } from '@portal/platform/session/cookies'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'

let portal: Harness
beforeAll(async () => {
  portal = await startHarness()
  await portal.register()
})
afterAll(() => portal.stop())

const { personalEmail, password } = applicant
const tryLogIn = (changes: Partial<typeof applicant> = {}, address = '192.0.2.1') =>
  portal.inject(logIn, { body: { personalEmail, password, ...changes }, address })
const statusOf = async (attempt: ReturnType<typeof tryLogIn>) => (await attempt).statusCode
const cookieOf = (header: unknown): string => /^__Host-portal_session=([^;]+)/.exec(String(header))?.[1] ?? ''
const day = 24 * 60 * 60

describe('logging in', () => {
  test('[L-1 L-9 L-18] gives the user, a token and the same token as a cookie that scripts cannot read', async () => {
    const response = await tryLogIn()
    expect(response.statusCode).toBe(200)
    const answer = logIn.response.parse(response.json())
    expect(answer).toMatchObject({ success: true, message: 'Login successful! Redirecting...' })
    expect(answer.data.user).toMatchObject({ fullName: 'Asha Verma', role: 'student' })
    expect(JSON.stringify(answer)).not.toContain(password)
    const [cookie = ''] = [response.headers['set-cookie']].flat()
    expect(cookieOf(cookie)).toBe(answer.data.token)
    expect(cookie).toMatch(/; Path=\/; Expires=Mon, 09 Mar 2026 .*; HttpOnly; SameSite=Lax; Secure$/)
    expect((await portal.call(getProfile, { token: answer.data.token })).user).toEqual(answer.data.user)
    expect((await portal.call(getProfile, { cookie: `${sessionCookie}=${answer.data.token}` })).user).toEqual(
      answer.data.user,
    )
  })

  test('ends the session of the request and no other; a rejected login ends none', async () => {
    const [first, other] = [await portal.logIn(), await portal.logIn()]
    const headers = { host: 'portal.example', origin: 'https://portal.example' }
    const cookie = `${sessionCookie}=${first.token}`
    expect(
      (await portal.inject(logIn, { body: { personalEmail, password: 'wrong' }, cookie, headers })).statusCode,
    ).toBe(401)
    await portal.call(getProfile, { token: first.token })
    const second = await portal.call(logIn, { body: { personalEmail, password }, cookie, headers })
    expect(await portal.refuse(getProfile, { token: first.token })).toMatchObject({ status: 401 })
    await portal.call(getProfile, { token: second.data.token })
    await portal.call(getProfile, { token: other.token })
  })

  test('ignores the case of the address and its invisible characters', async () => {
    expect(await statusOf(tryLogIn({ personalEmail: ' Asha.VERMA@Example.com ' }))).toBe(200)
    expect(await statusOf(tryLogIn({ personalEmail: '\u200Basha.verma@ｅｘａｍｐｌｅ.com\u202C' }))).toBe(200)
  })

  test('[L-19] answers alike for a wrong password and an unknown address', async () => {
    const answers = [await tryLogIn({ password: 'wrong' }), await tryLogIn({ personalEmail: 'nobody@example.com' })]
    for (const answer of answers) {
      expect(answer.statusCode).toBe(401)
      expect(answer.json()).toEqual({ success: false, code: 'unauthenticated', message: 'Invalid credentials' })
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
  })

  test('lasts seven days', async () => {
    const { token } = await portal.logIn()
    portal.world.passSeconds(7 * day - 2)
    await portal.call(getProfile, { token })
    portal.world.passSeconds(2)
    expect(await portal.refuse(getProfile, { token })).toMatchObject({ status: 401 })
  })
})

describe('guessing passwords', () => {
  const windowSeconds = 15 * 60

  test('locks the account for one address after ten failures from it', async () => {
    for (let n = 0; n < 10; n++) expect(await statusOf(tryLogIn({ password: `guess ${n}` }, '198.51.100.1'))).toBe(401)
    const refused = await tryLogIn({}, '198.51.100.1')
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toEqual({
      success: false,
      code: 'too-many-requests',
      message: 'Too many failed logins. Please try again in 15 minutes.',
      retryAfterSeconds: windowSeconds,
    })
    expect(refused.headers['retry-after']).toBe(String(windowSeconds))
    expect(await statusOf(tryLogIn({}, '198.51.100.2'))).toBe(200)
    expect(await statusOf(tryLogIn({ personalEmail: 'other@example.com' }, '198.51.100.1'))).toBe(401)
    portal.world.passSeconds(windowSeconds)
    expect(await statusOf(tryLogIn({}, '198.51.100.1'))).toBe(200)
  })

  test('allows no more concurrent guesses than sequential ones', async () => {
    const guesses = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        statusOf(tryLogIn({ personalEmail: 'rush@example.com', password: `guess ${n}` }, '198.51.100.4')),
      ),
    )
    // Those whose turn had come when the tenth failed were tried as well.
    const tried = guesses.filter((status) => status === 401).length
    expect(tried).toBeGreaterThanOrEqual(10)
    expect(tried).toBeLessThanOrEqual(10 + 16)
    expect(guesses.filter((status) => status === 429)).toHaveLength(60 - tried)
  })

  test('does not count successes, and they do not reset failures', async () => {
    for (let n = 0; n < 9; n++) await tryLogIn({ password: 'wrong' }, '198.51.100.5')
    for (let n = 0; n < 12; n++) expect(await statusOf(tryLogIn({}, '198.51.100.5'))).toBe(200)
    expect(await statusOf(tryLogIn({ password: 'wrong' }, '198.51.100.5'))).toBe(401)
    expect(await statusOf(tryLogIn({}, '198.51.100.5'))).toBe(429)
  })
})

describe('logging out', () => {
  test('ends this session at once, and no other', async () => {
    const [first, second] = [await portal.logIn(), await portal.logIn()]
    const response = await portal.inject(logOut, { token: first.token })
    expect(response.json()).toEqual({ success: true, message: 'Logged out successfully' })
    expect(String(response.headers['set-cookie'])).toMatch(/^__Host-portal_session=; .*Expires=Thu, 01 Jan 1970/)
    expect(await portal.refuse(getProfile, { token: first.token })).toMatchObject({ status: 401 })
    expect(await portal.refuse(logOut, { token: first.token })).toMatchObject({ status: 401 })
    await portal.call(getProfile, { token: second.token })
    await portal.restart()
    expect(await portal.refuse(getProfile, { token: first.token })).toMatchObject({ status: 401 })
    await portal.call(getProfile, { token: second.token })
  })
})

test('invalid input is rejected, and nothing is recorded', async () => {
  const rows = [
    [{}, 'Email is required'],
    [{ personalEmail: '', password }, 'Email is required'],
    [{ personalEmail: { $ne: null }, password }, 'Email is required'],
    [{ personalEmail: 'asha', password }, 'Please enter a valid email address'],
    [{ personalEmail: 'a@b.co\0', password }, 'Please enter a valid email address'],
    [{ personalEmail }, 'Password is required'],
    [{ personalEmail, password: '' }, 'Password is required'],
    [{ personalEmail, password: 12345678 }, 'Password is required'],
    [{ personalEmail, password: 'x'.repeat(10_000) }, 'Invalid credentials'],
  ] as const
  const before = (await portal.recorded()).length
  expect(await portal.refusals(logIn, rows)).toEqual(rows)
  expect(await portal.recorded()).toHaveLength(before)
})
