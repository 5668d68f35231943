import { forgotPassword, getProfile, logIn, resetPassword } from '@portal/contracts/auth/http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Applicant, applicant, type Harness, startHarness } from '@portal/auth/testing/harness'
import { until } from '@portal/platform/testing/until'

let portal: Harness
beforeAll(async () => {
  portal = await startHarness({
    limits: { resetLinksPerAddress: { max: 1_000, windowMs: 3_600_000 } },
    linkSenderOptions: { retryDelaysMs: Array.from({ length: 1_000 }, () => 20) },
  })
})
afterAll(() => portal.stop())

let people = 0
/** An applicant that no other test uses. */
const newApplicant = async (): Promise<Applicant> => {
  people += 1
  const mobileNumber = String(9_100_000_000 + people)
  const person = { ...applicant, personalEmail: `person-${people}@example.com`, mobileNumber }
  await portal.register(person)
  return person
}

const newPassword = 'Haystack-2026'
const sent = { success: true, message: 'Password reset link sent to your email!' }
const done = { success: true, message: 'Password reset successfully! Redirecting to login...' }
const notValid = {
  status: 400,
  code: 'invalid',
  message: 'This link has expired or was already used. Please request a new one.',
}

const mailsTo = (address: string) => portal.world.mails.filter(({ to, link }) => to === address && link !== undefined)
const tokenOf = (link = '') => new URL(link).searchParams.get('token') ?? ''
/** The token in the mail that this request sends. */
const request = async ({ personalEmail }: Applicant): Promise<string> => {
  const before = mailsTo(personalEmail).length
  expect(await portal.call(forgotPassword, { body: { personalEmail } })).toEqual(sent)
  await until(() => expect(mailsTo(personalEmail)).toHaveLength(before + 1))
  return tokenOf(mailsTo(personalEmail).at(-1)?.link)
}
const reset = (token: string, password = newPassword) =>
  portal.inject(resetPassword, { params: { token }, body: { password } })
const refuseReset = (token: string, password = newPassword) =>
  portal.refuse(resetPassword, { params: { token }, body: { password } })
const canLogIn = async ({ personalEmail }: Applicant, password: string): Promise<boolean> =>
  (await portal.inject(logIn, { body: { personalEmail, password } })).statusCode === 200
const passesBy = async (seconds: number) => portal.world.passSeconds(seconds)

describe('requesting a link', () => {
  test('[W-9] mails a link to the page at the configured origin', async () => {
    const person = await newApplicant()
    const token = await request(person)
    const mail = mailsTo(person.personalEmail).at(-1)
    expect(mail).toEqual({
      to: person.personalEmail,
      subject: 'Reset your password',
      text: expect.stringContaining(mail?.link ?? 'no link'),
      userIds: [expect.any(String)],
      link: `https://portal.example/reset-password?token=${token}#email=${encodeURIComponent(person.personalEmail)}`,
    })
    expect(mail?.text).toContain('The link works once and expires in 30 minutes.')
  })

  test('ignores the case of the address and the Host header', async () => {
    const { personalEmail } = await newApplicant()
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    await portal.call(forgotPassword, { body: { personalEmail: ` ${personalEmail.toUpperCase()}` }, headers })
    await until(() => expect(mailsTo(personalEmail)).toHaveLength(1))
    expect(mailsTo(personalEmail)[0]?.link).toMatch(/^https:\/\/portal\.example\//)
  })

  test('answers and records alike for an unregistered address, without a mail', async () => {
    const before = (await portal.recorded()).length
    const mails = portal.world.mails.length
    expect(await portal.call(forgotPassword, { body: { personalEmail: 'nobody@example.com' } })).toEqual(sent)
    await request(await newApplicant())
    const [first] = (await portal.recorded()).slice(before)
    expect(first).toMatchObject({ stream: expect.stringMatching(/^reset-/), type: 'PasswordResetRequested' })
    expect(portal.world.mails.slice(mails).map(({ to }) => to)).not.toContain('nobody@example.com')
  })

  test('answers alike when the mail fails, logs it, and sends it later', async () => {
    const { personalEmail } = await newApplicant()
    portal.world.outage.mail = new Error(`550 no such mailbox ${personalEmail}`)
    expect(await portal.call(forgotPassword, { body: { personalEmail } })).toEqual(sent)
    await until(() => expect(portal.world.log.join('')).toContain('failed to send reset link'))
    portal.world.outage.mail = undefined
    await until(() => expect(mailsTo(personalEmail)).toHaveLength(1))
    expect(portal.world.log.join('')).not.toContain(personalEmail)
  })

  test('is possible five times an hour for one address, registered or not', async () => {
    const known = (await newApplicant()).personalEmail
    for (const personalEmail of [known, 'unknown@example.com']) {
      for (let n = 0; n < 5; n++) await portal.call(forgotPassword, { body: { personalEmail } })
      expect(await portal.refuse(forgotPassword, { body: { personalEmail } })).toMatchObject({
        status: 429,
        code: 'too-many-requests',
        message: 'Too many reset links requested. Please try again in 60 minutes.',
        retryAfterSeconds: 3_600,
      })
    }
    await passesBy(3_600)
    await portal.call(forgotPassword, { body: { personalEmail: known } })
  })

  test('needs a valid address', async () => {
    const rows = [
      [{}, 'Email is required'],
      [{ personalEmail: '' }, 'Email is required'],
      [{ personalEmail: ['a@b.co'] }, 'Email is required'],
      [{ personalEmail: { $gt: '' } }, 'Email is required'],
      [{ personalEmail: 'asha' }, 'Please enter a valid email address'],
      [{ personalEmail: 'a@b.co\r\nBcc: all@example.com' }, 'Please enter a valid email address'],
      [{ personalEmail: `${'x'.repeat(300)}@example.com` }, 'Please enter a valid email address'],
      ['[]', 'The request body must be a JSON object'],
    ] as const
    const before = (await portal.recorded()).length
    expect(await portal.refusals(forgotPassword, rows)).toEqual(rows)
    expect(await portal.recorded()).toHaveLength(before)
  })
})

describe('using the link', () => {
  test('[W-10] sets the password, ends every session, and invalidates old passwords and tokens', async () => {
    const person = await newApplicant()
    const sessions = [await portal.logIn(person), await portal.logIn(person)]
    const token = await request(person)
    expect((await reset(token)).json()).toEqual(done)
    for (const session of sessions) {
      expect(await portal.refuse(getProfile, { token: session.token })).toMatchObject({ status: 401 })
    }
    const ended = (await portal.recorded()).filter(({ type }) => type === 'SessionEnded')
    expect(ended.map(({ data }) => data)).toEqual(
      expect.arrayContaining(sessions.map(({ user }) => expect.objectContaining({ userId: user._id }))),
    )
    expect(ended.at(-1)?.data).toMatchObject({ reason: 'password-reset' })
    expect(await canLogIn(person, person.password)).toBe(false)
    expect(await canLogIn(person, newPassword)).toBe(true)
    expect(await refuseReset(token, 'Afterwards-2026')).toMatchObject(notValid)
    expect(await canLogIn(person, newPassword)).toBe(true)
  })

  test('succeeds for exactly one of several concurrent uses', async () => {
    const person = await newApplicant()
    const token = await request(person)
    const passwords = Array.from({ length: 5 }, (_, n) => `Haystack-202${n}`)
    const answers = await Promise.all(passwords.map((password) => reset(token, password)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400, 400, 400, 400])
    for (const [n, password] of passwords.entries()) {
      expect(await canLogIn(person, password)).toBe(answers[n]?.statusCode === 200)
    }
  })

  test('is possible for half an hour', async () => {
    const person = await newApplicant()
    const token = await request(person)
    await passesBy(30 * 60)
    expect(await refuseReset(token)).toMatchObject(notValid)
    expect(await canLogIn(person, person.password)).toBe(true)
  })

  test('works after a restart, also during a rebuild of the read models', async () => {
    const person = await newApplicant()
    const token = await request(person)
    await portal.restart({ namespace: 'rebuilt' })
    expect((await reset(token)).statusCode).toBe(200)
    expect(await canLogIn(person, newPassword)).toBe(true)
    await portal.restart({})
    expect(await refuseReset(token)).toMatchObject(notValid)
  })

  test('is complete after a crash right after the password was set', async () => {
    const person = await newApplicant()
    const session = await portal.logIn(person)
    const token = await request(person)
    const { eventStore } = portal.parts
    const append = eventStore.append.bind(eventStore)
    let isGone = false
    Object.assign(eventStore, {
      append: async (...call: Parameters<typeof append>) => {
        if (isGone) throw new Error('the process is gone')
        isGone = call[2].some(({ type }) => type === 'UserPasswordChanged')
        return append(...call)
      },
    })
    expect((await reset(token)).statusCode).toBe(500)
    await portal.restart({})
    expect(await canLogIn(person, newPassword)).toBe(true)
    expect(await refuseReset(token, 'Afterwards-2026')).toMatchObject(notValid)
    const isOver = async () =>
      expect(await portal.refuse(getProfile, { token: session.token })).toMatchObject({ status: 401 })
    await until(isOver)
  })

  test('is rejected for an unknown token', async () => {
    const tokens = ['', 'short', 'x'.repeat(86), 'x'.repeat(101), '../../user/profile', "' OR 1=1 --", '\0']
    const refusals = await Promise.all(tokens.map((token) => refuseReset(token)))
    expect(refusals).toMatchObject(tokens.map(() => notValid))
  })

  test('needs a password by the rules and not easy to guess; the link stays valid', async () => {
    const rows = [
      [{}, 'Password is required'],
      [{ password: 'short' }, 'Password must be at least 8 characters long'],
      [{ password: 'lowercase1!' }, 'Password must contain at least one uppercase letter'],
      [{ password: 'UPPERCASE1!' }, 'Password must contain at least one lowercase letter'],
      [{ password: 'NoDigits!!' }, 'Password must contain at least one digit'],
      [{ password: 'NoSpecial11' }, 'Password must contain at least one special character'],
      [{ password: `Aa1!${'x'.repeat(300)}` }, 'Password must be at most 128 characters'],
      [{ password: 'P@ssw0rd1' }, 'This password is too common. Please choose one that is harder to guess.'],
      [{ password: ['Aa1!aaaa'] }, 'Password is required'],
    ] as const
    const token = await request(await newApplicant())
    expect(await portal.refusals(resetPassword, rows, { params: { token } })).toEqual(rows)
    expect((await reset(token)).statusCode).toBe(200)
  })
})
