import { changePassword, getProfile, logIn, logOut } from '@portal/contracts/auth/http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'

let portal: Harness
beforeEach(async () => {
  portal = await startHarness()
  await portal.register()
})
afterEach(() => portal.stop())

const { personalEmail, password } = applicant
const newPassword = 'Haystack-2026'
const change = (token: string, currentPassword = password, wished = newPassword) =>
  portal.inject(changePassword, { token, body: { currentPassword, newPassword: wished } })
const logInStatus = async (typed: string) =>
  (await portal.inject(logIn, { body: { personalEmail, password: typed } })).statusCode
const isLive = async (token: string) => (await portal.inject(getProfile, { token })).statusCode === 200

const wrong = 'Your current password is incorrect'

/** Blocks appends of this type until the test releases them. */
const holdAppendOf = (type: string) => {
  const { eventStore } = portal.parts
  const append = eventStore.append.bind(eventStore)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  Object.assign(eventStore, {
    append: async (...call: Parameters<typeof append>) => {
      if (call[2].some((event) => event.type === type)) {
        reach()
        await released
      }
      return append(...call)
    },
  })
  return { reached, release }
}

describe('changing a password', () => {
  test('[X-25] sets the new one, keeps the current session and ends every other', async () => {
    const [mine, other, another] = [await portal.logIn(), await portal.logIn(), await portal.logIn()]
    const answer = await change(mine.token)
    expect(changePassword.response.parse(answer.json())).toEqual({
      success: true,
      message: 'Password changed successfully!',
    })
    expect(await Promise.all([mine, other, another].map(({ token }) => isLive(token)))).toEqual([true, false, false])
    expect([await logInStatus(password), await logInStatus(newPassword)]).toEqual([401, 200])
    await portal.restart()
    expect(await Promise.all([mine, other].map(({ token }) => isLive(token)))).toEqual([true, false])
    const ended = (await portal.recorded()).filter(({ type }) => type === 'SessionEnded')
    expect(ended).toHaveLength(2)
    expect(ended.map(({ data }) => data)).toEqual(
      Array(2).fill(expect.objectContaining({ reason: 'password-changed', userId: mine.user._id })),
    )
  })

  test('again, from the session that was kept, ends later sessions', async () => {
    const mine = await portal.logIn()
    await change(mine.token)
    const other = await portal.logIn({ personalEmail, password: newPassword })
    expect((await change(other.token, newPassword, 'Solstice-2026')).statusCode).toBe(200)
    expect([await isLive(mine.token), await isLive(other.token)]).toEqual([false, true])
  })

  test('needs the current password, with the error at its field', async () => {
    const { token } = await portal.logIn()
    const body = { currentPassword: 'Wrong-2026', newPassword }
    expect(await portal.refuse(changePassword, { token, body })).toEqual({
      status: 400,
      success: false,
      code: 'invalid',
      message: wrong,
      errors: { currentPassword: wrong },
    })
    expect([await logInStatus(password), await isLive(token)]).toEqual([200, true])
  })

  test('concurrently from two sessions happens once, and exactly one session remains', async () => {
    const sessions = [await portal.logIn(), await portal.logIn()]
    const wished = ['Haystack-2026', 'Solstice-2026']
    const answers = await Promise.all(sessions.map(({ token }, n) => change(token, password, wished[n])))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400])
    for (const [n, { token }] of sessions.entries()) {
      const won = answers[n]?.statusCode === 200
      expect(await isLive(token)).toBe(won)
      expect(await logInStatus(wished[n] ?? '')).toBe(won ? 200 : 401)
    }
  })

  test('can be tried ten times in a quarter of an hour, however many at once', async () => {
    const { token } = await portal.logIn()
    const guesses = await Promise.all(Array.from({ length: 15 }, (_, n) => change(token, `Guess-${n}`)))
    const statuses = guesses.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 400)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(5)
    expect(
      await portal.refuse(changePassword, { token, body: { currentPassword: password, newPassword } }),
    ).toMatchObject({
      status: 429,
      code: 'too-many-requests',
      message: 'Too many attempts to change the password. Please try again in 15 minutes.',
      retryAfterSeconds: 900,
    })
    portal.world.passSeconds(900)
    expect((await change(token)).statusCode).toBe(200)
  })

  test('needs both passwords, the new one by the rules and not easy to guess', async () => {
    const rows = [
      [{}, 'Please enter your current password.'],
      [{ currentPassword: '', newPassword }, 'Please enter your current password.'],
      [{ currentPassword: 7, newPassword }, 'Please enter your current password.'],
      [{ currentPassword: 'x'.repeat(300), newPassword }, wrong],
      [{ currentPassword: password }, 'Please enter a new password.'],
      [{ currentPassword: password, newPassword: '' }, 'Please enter a new password.'],
      [
        { currentPassword: password, newPassword: 'harvest-2026' },
        'Password must be at least 8 characters, include uppercase, lowercase, number, and special character.',
      ],
      [
        { currentPassword: password, newPassword: 'Welcome@123' },
        'This password is too common. Please choose one that is harder to guess.',
      ],
      [
        { currentPassword: password, newPassword: 'Verma-2026' },
        'This password is too close to your name, your email or the name of the portal. Please choose another one.',
      ],
    ] as const
    const { token } = await portal.logIn()
    const before = (await portal.recorded()).length
    expect(await portal.refusals(changePassword, rows, { token })).toEqual(rows)
    expect(await portal.recorded()).toHaveLength(before)
  })

  test('requires a session', async () => {
    const body = { currentPassword: password, newPassword }
    expect(await portal.refuse(changePassword, { body })).toMatchObject({ status: 401 })
    const { token } = await portal.logIn()
    await portal.call(logOut, { token })
    expect(await portal.refuse(changePassword, { token, body })).toMatchObject({ status: 401 })
    expect(await logInStatus(password)).toBe(200)
  })
})

describe('a concurrent login with the old password', () => {
  test('leaves no session when the password changes before it is recorded', async () => {
    const mine = await portal.logIn()
    const held = holdAppendOf('SessionStarted')
    const late = portal.inject(logIn, { body: { personalEmail, password } })
    await held.reached
    expect((await change(mine.token)).statusCode).toBe(200)
    held.release()
    expect((await late).json()).toEqual({ success: false, code: 'unauthenticated', message: 'Invalid credentials' })
    expect((await late).headers['set-cookie']).toBeUndefined()
    const recorded = await portal.recorded()
    expect(recorded.filter(({ type }) => type === 'SessionStarted')).toHaveLength(2)
    expect(recorded.at(-1)).toMatchObject({ type: 'SessionEnded', data: { reason: 'password-changed' } })
    expect(await isLive(mine.token)).toBe(true)
  })

  test('is ended when it was recorded before the password changes', async () => {
    const mine = await portal.logIn()
    const held = holdAppendOf('UserPasswordChanged')
    const changing = change(mine.token)
    await held.reached
    const early = await portal.logIn()
    held.release()
    expect((await changing).statusCode).toBe(200)
    expect([await isLive(mine.token), await isLive(early.token)]).toEqual([true, false])
  })
})
