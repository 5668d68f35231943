import { UnconfirmedError } from '@portal/platform/outbound/port'
import {
  forgotPassword,
  getProfile,
  initiateRegistration,
  listUsers,
  logIn,
  resendCodes,
  resetPassword,
  verifyRegistration,
} from '@portal/contracts/auth/http'
import { refusalBy } from '@portal/platform/testing/http/answers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Applicant, applicant, type Harness, startHarness } from '@portal/auth/testing/harness'
import { until } from '@portal/platform/testing/until'

let portal: Harness
beforeAll(async () => {
  portal = await startHarness()
})
afterAll(() => portal.stop())

let people = 0
/** An applicant that no other test uses. */
const newApplicant = (): Applicant => {
  people += 1
  return { ...applicant, personalEmail: `person-${people}@example.com`, mobileNumber: String(9_100_000_000 + people) }
}

const contactOf = ({ personalEmail, mobileNumber }: Applicant) => ({ email: personalEmail, mobileNumber })
/** The cookie of the browser that began each registration, by address. */
const cookies = new Map<string, string>()
const initiate = async (person: Applicant) => {
  const answer = await portal.inject(initiateRegistration, { body: person })
  expect(answer.statusCode).toBe(200)
  cookies.set(person.personalEmail, String(answer.headers['set-cookie']).split(';')[0] ?? '')
  return portal.lastCodes()
}
const inBrowserOf = ({ personalEmail }: Applicant) => {
  const cookie = cookies.get(personalEmail)
  return cookie === undefined ? {} : { cookie }
}
const resend = (person: Applicant, type: 'email' | 'mobile' | 'both') =>
  portal.call(resendCodes, { ...inBrowserOf(person), body: { ...contactOf(person), type } })
const verify = (person: Applicant, codes: object) =>
  portal.call(verifyRegistration, { body: { ...contactOf(person), ...codes } })
const refuseInitiate = (person: Applicant) => portal.refuse(initiateRegistration, { body: person })
const refuseResend = (person: Applicant, type = 'both') =>
  portal.refuse(resendCodes, { ...inBrowserOf(person), body: { ...contactOf(person), type } })
const refuseVerify = (person: Applicant, codes: object) =>
  portal.refuse(verifyRegistration, { body: { ...contactOf(person), ...codes } })

/** Starts a registration and returns the cookie that the browser gets. */
const initiateIn = async (person: Applicant, cookie?: string, address?: string): Promise<string> => {
  const answer = await portal.inject(initiateRegistration, {
    body: person,
    ...(cookie !== undefined && { cookie }),
    ...(address !== undefined && { address }),
  })
  expect(answer.statusCode).toBe(200)
  return String(answer.headers['set-cookie']).split(';')[0] ?? ''
}
const verifyIn = (cookie: string, person: Applicant, codes: object) =>
  portal.inject(verifyRegistration, { cookie, body: { ...contactOf(person), ...codes } })

const wrong = '999999'
const wrongCode = { status: 400, code: 'invalid', message: 'OTP verification failed. Please try again.' }

describe('starting a registration', () => {
  test('[R-20 R-24] sends one code to the address and another to the number', async () => {
    const person = newApplicant()
    const answer = await portal.call(initiateRegistration, { body: person })
    expect(answer).toEqual({ success: true, message: 'OTPs sent successfully to your email and phone!' })
    const mail = portal.world.mails.at(-1)
    const sms = portal.world.texts.at(-1)
    expect(mail).toEqual({
      to: person.personalEmail,
      subject: `${mail?.code} is your verification code`,
      text: expect.stringContaining(`Your verification code is ${mail?.code}.`),
      code: expect.stringMatching(/^\d{6}$/),
      userIds: [expect.any(String)],
    })
    expect(sms).toEqual({
      to: person.mobileNumber,
      text: expect.stringContaining(`${sms?.code} is your verification code.`),
      code: expect.stringMatching(/^\d{6}$/),
      userIds: mail?.userIds,
    })
    expect(mail?.code).not.toBe(sms?.code)
  })

  test('again within 30 seconds is rejected with the time to wait; later it replaces the details', async () => {
    const person = newApplicant()
    await initiate(person)
    portal.world.passSeconds(20)
    expect(await refuseInitiate(person)).toMatchObject({
      status: 429,
      code: 'too-many-requests',
      message: 'Please wait 10 seconds before requesting another OTP.',
      retryAfterSeconds: 10,
    })
    portal.world.passSeconds(10)
    const changed = { ...person, fullName: 'Asha V. Rao', mobileNumber: '9111111111', password: 'Other-2026' }
    const codes = await initiate(changed)
    expect(await refuseVerify(person, codes)).toMatchObject(wrongCode)
    await verify(changed, codes)
    expect((await portal.logIn(changed)).user).toMatchObject({ fullName: 'Asha V. Rao', mobileNumber: '9111111111' })
    const oldPassword = { personalEmail: person.personalEmail, password: person.password }
    expect(await portal.refuse(logIn, { body: oldPassword })).toMatchObject({ status: 401 })
  })

  test('with an address that has an account is rejected, however it is written', async () => {
    const person = newApplicant()
    await portal.register(person)
    portal.world.passSeconds(60)
    const taken = {
      status: 409,
      code: 'conflict',
      message: 'An account with this email already exists. Please log in.',
    }
    expect(await refuseInitiate(person)).toMatchObject(taken)
    for (const personalEmail of [person.personalEmail.toUpperCase(), `${person.personalEmail}\u200B`])
      expect(await refuseInitiate({ ...person, personalEmail })).toMatchObject(taken)
  })

  test('[R-23] reports a failure of mail or SMS and allows an immediate retry', async () => {
    for (const part of ['mail', 'sms'] as const) {
      const person = newApplicant()
      portal.world.outage[part] = new Error('no post today')
      expect(await refuseInitiate(person)).toMatchObject({
        status: 503,
        code: 'unavailable',
        message: 'Failed to send OTPs. Please try again.',
      })
      portal.world.outage[part] = undefined
      await verify(person, await initiate(person))
    }
  })

  test('[F6] says that codes may still arrive if mail or SMS did not answer, and they are valid', async () => {
    const unconfirmed = {
      success: true,
      message: 'Your OTPs may still arrive. If they do not within a minute, ask for new ones.',
      isUnconfirmed: true,
    }
    for (const part of ['mail', 'sms'] as const) {
      const person = newApplicant()
      portal.world.outage[part] = new UnconfirmedError('no answer')
      const first = await initiate(person)
      // As after any send, new ones have to wait.
      expect((await refuseInitiate(person)).status).toBe(429)
      expect(await portal.call(initiateRegistration, { body: newApplicant() })).toEqual(unconfirmed)
      portal.world.passSeconds(30)
      expect(await resend(person, part === 'mail' ? 'email' : 'mobile')).toEqual(unconfirmed)
      portal.world.outage[part] = undefined
      const codes = portal.lastCodes()
      expect(codes).not.toEqual(first)
      await verify(person, part === 'mail' ? { otpEmail: codes.otpEmail } : { otpMobile: codes.otpMobile })
    }
  })

  test('concurrently from several tabs sends one set of codes', async () => {
    const person = newApplicant()
    const before = portal.world.mails.length
    const attempts = await Promise.all(
      Array.from({ length: 4 }, () => portal.inject(initiateRegistration, { body: person })),
    )
    expect(attempts.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 429, 429, 429])
    expect(portal.world.mails).toHaveLength(before + 1)
    await verify(person, portal.lastCodes())
  })

  test('reads of a long history only what is new', async () => {
    const person = newApplicant()
    for (let n = 0; n < 28; n++) {
      await initiateIn({ ...person, mobileNumber: String(9_400_000_000 + n) }, undefined, `203.0.113.${n}`)
      portal.world.passSeconds(200)
    }
    const reads = vi.spyOn(portal.parts.eventStore, 'read')
    const cookie = await initiateIn(person, undefined, '198.51.100.9')
    expect((await verifyIn(cookie, person, { otpEmail: wrong })).statusCode).toBe(400)
    const ofRegistration = reads.mock.calls.filter(([stream]) => stream.startsWith('registration-'))
    expect(ofRegistration.length).toBeGreaterThan(0)
    expect(Math.min(...ofRegistration.map(([, fromRevision = 0]) => fromRevision))).toBeGreaterThanOrEqual(50)
    reads.mockRestore()
  })

  test('limits the codes per number and hour, whatever the address', async () => {
    const { mobileNumber } = newApplicant()
    for (let n = 0; n < 20; n++) await initiate({ ...newApplicant(), mobileNumber })
    expect(await refuseInitiate({ ...newApplicant(), mobileNumber })).toMatchObject({
      status: 429,
      message: 'Too many OTPs requested. Please try again in 60 minutes.',
      retryAfterSeconds: 3_600,
    })
    portal.world.passSeconds(3_600)
    await initiate({ ...newApplicant(), mobileNumber })
  })
})

describe('resending codes', () => {
  test('[R-22 R-27 R-28] replaces the codes of the channels that were asked for', async () => {
    for (const [type, message, mails, texts] of [
      ['both', 'OTP resent successfully to your email and phone!', 1, 1],
      ['email', 'OTP resent successfully to your email!', 1, 0],
      ['mobile', 'OTP resent successfully to your mobile!', 0, 1],
    ] as const) {
      const person = newApplicant()
      const first = await initiate(person)
      portal.world.passSeconds(30)
      const before = { mails: portal.world.mails.length, texts: portal.world.texts.length }
      expect(await resend(person, type)).toEqual({ success: true, message })
      const sent = { mails: portal.world.mails.length - before.mails, texts: portal.world.texts.length - before.texts }
      expect([type, sent]).toEqual([type, { mails, texts }])
      const replaced = mails > 0 ? { otpEmail: first.otpEmail } : { otpMobile: first.otpMobile }
      expect(await refuseVerify(person, replaced)).toMatchObject(wrongCode)
      await verify(person, portal.lastCodes())
    }
  })

  test('too soon or too often is rejected with the time to wait', async () => {
    const person = newApplicant()
    await initiate(person)
    portal.world.passSeconds(29)
    expect(await refuseResend(person)).toMatchObject({
      status: 429,
      message: 'Please wait 1 second before requesting another OTP.',
      retryAfterSeconds: 1,
    })
    portal.world.passSeconds(31)
    for (let n = 0; n < 5; n++) {
      await resend(person, 'both')
      portal.world.passSeconds(60)
    }
    expect(await refuseResend(person)).toMatchObject({
      status: 429,
      message: 'Too many OTPs requested. Please try again in 55 minutes.',
      retryAfterSeconds: 55 * 60,
    })
  })

  test('[R-29] reports a failed send and allows an immediate retry', async () => {
    const person = newApplicant()
    await initiate(person)
    portal.world.passSeconds(30)
    portal.world.outage.sms = new Error('no post today')
    const failed = { status: 503, message: 'Failed to resend OTP. Please try again.' }
    expect(await refuseResend(person)).toMatchObject(failed)
    expect(await refuseResend(person)).toMatchObject(failed)
    portal.world.outage.sms = undefined
    await resend(person, 'both')
    await verify(person, portal.lastCodes())
  })

  test('gives strangers the same answer for a right and a wrong number, and sends codes only to the right one', async () => {
    const person = newApplicant()
    const strangers = { right: person, wrong: { ...person, mobileNumber: '9222222222' }, none: newApplicant() }
    await initiate(person)
    const ask = async (who: Applicant) => {
      const { statusCode, body } = await portal.inject(resendCodes, { body: { ...contactOf(who), type: 'mobile' } })
      const { requestId: _, ...said } = JSON.parse(body)
      return { statusCode, said }
    }
    /** Soon after the codes were sent, a moment later, again, and often. */
    for (const seconds of [5, 30, 1, 31, 31, 31]) {
      portal.world.passSeconds(seconds)
      const answer = await ask(strangers.right)
      expect([await ask(strangers.wrong), await ask(strangers.none)]).toEqual([answer, answer])
    }
    await until(() =>
      expect(portal.world.texts.filter(({ to }) => to === person.mobileNumber).length).toBeGreaterThan(1),
    )
    expect(portal.world.texts.filter(({ to }) => to === '9222222222')).toEqual([])
  })

  test('is limited for strangers as the check of codes is', async () => {
    const person = newApplicant()
    await initiate(person)
    const statuses: number[] = []
    for (let n = 0; n < 35; n++) {
      const body = { ...contactOf(person), mobileNumber: String(9_300_000_000 + n), type: 'email' }
      statuses.push((await portal.inject(resendCodes, { body })).statusCode)
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
    expect(statuses.slice(30)).toEqual([429, 429, 429, 429, 429])
  })

  test('needs a pending registration of this browser', async () => {
    const refusal = { status: 404, code: 'not-found', message: 'Registration not found. Please start again.' }
    const person = newApplicant()
    await initiate(person)
    portal.world.passSeconds(30)
    await verify(person, portal.lastCodes())
    expect(await refuseResend(person)).toMatchObject(refusal)
  })
})

describe('verifying the codes', () => {
  test('[G-2 G-24 R-1 R-21] one code or both make the account, which can be used at once', async () => {
    for (const used of [['otpEmail', 'otpMobile'], ['otpEmail'], ['otpMobile']] as const) {
      const person = newApplicant()
      const codes = await initiate(person)
      // An empty code counts as not entered.
      const entered = { otpEmail: '', ...Object.fromEntries(used.map((name) => [name, codes[name]])) }
      expect(await verify(person, entered)).toEqual({
        success: true,
        message: 'Account created successfully! Redirecting to home page...',
      })
      expect((await portal.logIn(person)).user).toEqual({
        _id: expect.any(String),
        fullName: person.fullName,
        personalEmail: person.personalEmail,
        mobileNumber: person.mobileNumber,
        universityName: person.universityName,
        studentCode: expect.stringMatching(/^MIN-2026-[0-9A-Z]{8}$/),
        profileImage: '',
        role: 'student',
      })
    }
  })

  test('the browser that began learns of five wrong attempts, also after a restart, and of the expiry', async () => {
    const person = newApplicant()
    const cookie = await initiateIn(person)
    const { otpEmail } = portal.lastCodes()
    const tryIn = async (codes: object) => refusalBy(verifyRegistration, await verifyIn(cookie, person, codes))
    for (let n = 0; n < 5; n++) expect(await tryIn({ otpEmail: wrong })).toMatchObject(wrongCode)
    await portal.restart()
    expect(await tryIn({ otpEmail })).toMatchObject({
      status: 429,
      code: 'too-many-requests',
      message: 'Too many wrong attempts. Please request a new OTP.',
    })
    portal.world.passSeconds(30)
    await portal.call(resendCodes, { cookie, body: { ...contactOf(person), type: 'email' } })
    const resent = { otpEmail: portal.lastCodes().otpEmail }
    portal.world.passSeconds(10 * 60)
    expect(await tryIn(resent)).toMatchObject({ status: 400, message: 'OTP has expired. Please request a new OTP.' })
    expect(await refuseVerify(person, resent)).toMatchObject(wrongCode)
  })

  test('compares no more than five of many concurrent guesses', async () => {
    const person = newApplicant()
    const cookie = await initiateIn(person)
    const guesses = await Promise.all(Array.from({ length: 12 }, () => verifyIn(cookie, person, { otpEmail: wrong })))
    expect(guesses.filter(({ statusCode }) => statusCode === 400)).toHaveLength(5)
    expect(guesses.filter(({ statusCode }) => statusCode === 429)).toHaveLength(7)
  })

  test('answers alike for an unknown address, another number and a wrong code, before and after the account is made', async () => {
    const person = newApplicant()
    const codes = await initiate(person)
    const expectAlike = async (entered: object) => {
      const answers = [
        await refuseVerify(newApplicant(), entered),
        await refuseVerify({ ...person, mobileNumber: '9333333333' }, entered),
        await refuseVerify(person, { otpMobile: wrong }),
      ]
      expect(answers[0]).toMatchObject(wrongCode)
      expect(answers).toEqual(answers.map(() => answers[0]))
    }
    await expectAlike(codes)
    await verify(person, codes)
    for (const seconds of [0, 9 * 60, 2 * 60, 60 * 60]) {
      portal.world.passSeconds(seconds)
      await expectAlike({ otpMobile: wrong })
    }
  })

  test('counts wrong codes per mailbox and client address in any state of the registration', async () => {
    const guess = (person: Applicant, address: string) =>
      portal.inject(verifyRegistration, { body: { ...contactOf(person), otpEmail: wrong }, address })
    const registered = newApplicant()
    await portal.register(registered)
    for (const person of [newApplicant(), registered]) {
      const statuses = []
      for (let n = 0; n < 31; n++) statuses.push((await guess(person, `198.51.100.${n}`)).statusCode)
      expect(statuses).toEqual([...Array.from({ length: 30 }, () => 400), 429])
    }
    const statuses = []
    for (let n = 0; n < 101; n++) statuses.push((await guess(newApplicant(), '198.51.101.1')).statusCode)
    expect(statuses).toEqual([...Array.from({ length: 100 }, () => 400), 429])
  })

  test('concurrently from several tabs, and again after a lost response, creates one account', async () => {
    const person = newApplicant()
    const codes = await initiate(person)
    const answers = await Promise.all(Array.from({ length: 4 }, () => verify(person, codes)))
    expect(await verify(person, codes)).toEqual(answers[0])
    const { user } = await portal.logIn(person)
    const recorded = await portal.recorded()
    expect(recorded.filter(({ stream }) => stream === `user-${user._id}`)).toHaveLength(1)
  })
})

describe('in a browser', () => {
  const startedElsewhere = {
    success: false,
    code: 'invalid',
    message: 'This registration was started again elsewhere. Please go back and request new OTPs.',
  }

  test('a secret cookie identifies it for just over an hour, hidden from scripts and other sites', async () => {
    const answer = await portal.inject(initiateRegistration, { body: newApplicant() })
    const { now } = portal.world.clockAndIds
    const expires = new Date(now().getTime() + 70 * 60_000).toUTCString()
    expect(answer.headers['set-cookie']).toMatch(
      new RegExp(
        `^__Host-portal_registration=[\\w-]{43}; Path=/; Expires=${expires}; HttpOnly; SameSite=Strict; Secure$`,
      ),
    )
  })

  test('answers alike for a missing registration and one begun elsewhere', async () => {
    const owner = newApplicant()
    await initiateIn(owner)
    const person = newApplicant()
    const cookie = await initiateIn(person)
    const codes = portal.lastCodes()
    const refused = [
      await verifyIn(cookie, owner, codes),
      await verifyIn(cookie, owner, { otpEmail: wrong }),
      await verifyIn(cookie, newApplicant(), codes),
      await verifyIn(cookie, { ...person, mobileNumber: '9333333333' }, codes),
      await portal.inject(resendCodes, { cookie, body: { ...contactOf(owner), type: 'both' } }),
    ]
    expect(refused.map((answer) => [answer.statusCode, answer.json()])).toEqual(
      refused.map(() => [400, startedElsewhere]),
    )
  })

  test('no single caller can block an address or flood its mailbox', async () => {
    const owner = newApplicant()
    const mailsTo = () => portal.world.mails.filter(({ to }) => to === owner.personalEmail).length
    const begin = async (address: string) => {
      portal.world.passSeconds(31)
      const body = { ...newApplicant(), personalEmail: owner.personalEmail }
      return (await portal.inject(initiateRegistration, { body, address })).statusCode
    }
    const statuses = []
    for (let n = 0; n < 10; n++) statuses.push(await begin('203.0.113.1'))
    expect(statuses.filter((status) => status === 200)).toHaveLength(4)
    const cookie = await initiateIn(owner, undefined, '198.51.100.1')
    const codes = portal.lastCodes()
    for (let n = 0; n < 40; n++) await begin(`203.0.113.${n}`)
    expect(mailsTo()).toBe(23)
    expect((await verifyIn(cookie, owner, { otpEmail: codes.otpEmail })).json()).toMatchObject({
      message: 'OTP has expired. Please request a new OTP.',
    })
    await portal.call(resendCodes, { cookie, body: { ...contactOf(owner), type: 'both' } })
    expect((await verifyIn(cookie, owner, portal.lastCodes())).statusCode).toBe(200)
  })

  test('unchanged data sends nothing, and two registrations in two tabs, resends and retries do not interfere', async () => {
    const [first, second] = [newApplicant(), newApplicant()]
    const cookie = await initiateIn(first)
    const firstCodes = portal.lastCodes()
    const sent = portal.world.mails.length + portal.world.texts.length
    expect(await initiateIn(first, cookie)).toBe(cookie)
    expect(portal.world.mails.length + portal.world.texts.length).toBe(sent)
    expect(await initiateIn(second, cookie)).toBe(cookie)
    portal.world.passSeconds(30)
    await portal.call(resendCodes, { cookie, body: { ...contactOf(second), type: 'email' } })
    const secondCodes = { otpEmail: portal.lastCodes().otpEmail }
    for (let n = 0; n < 2; n++) {
      expect((await verifyIn(cookie, first, firstCodes)).statusCode).toBe(200)
      expect((await verifyIn(cookie, second, secondCodes)).statusCode).toBe(200)
    }
  })

  test('ignores a malformed secret', async () => {
    const person = newApplicant()
    const codes = await initiate(person)
    for (const value of ['short', `${'x'.repeat(44)}`, '']) {
      expect((await verifyIn(`portal_registration=${value}`, person, { otpEmail: wrong })).json()).toMatchObject({
        message: wrongCode.message,
      })
    }
    expect((await verifyIn('portal_registration=a.b', person, codes)).statusCode).toBe(200)
  })
})

describe('a mobile number', () => {
  test('confirms no second account; the code from the mail does', async () => {
    const [first, second] = [newApplicant(), newApplicant()]
    const { otpMobile } = await initiate(first)
    await verify(first, { otpMobile })
    const other = { ...second, mobileNumber: first.mobileNumber }
    const codes = await initiate(other)
    expect(await refuseVerify(other, { otpMobile: codes.otpMobile })).toMatchObject({
      status: 409,
      code: 'conflict',
      message: 'This mobile number already belongs to another account. Please use the OTP sent to your email.',
    })
    await verify(other, codes)
    expect((await portal.logIn(other)).user.personalEmail).toBe(other.personalEmail)
  })

  test('confirms another account once the first one was erased', async () => {
    const [first, second] = [newApplicant(), newApplicant()]
    await portal.register(first)
    const { user } = await portal.logIn(first)
    await portal.parts.auth.eraseUser(user._id)
    portal.world.passSeconds(61)
    const other = { ...second, mobileNumber: first.mobileNumber }
    const { otpMobile } = await initiate(other)
    expect(await verify(other, { otpMobile })).toMatchObject({ success: true })
  })

  test('confirms one of several registrations that are completed at once', async () => {
    const { mobileNumber } = newApplicant()
    const household = Array.from({ length: 5 }, () => ({ ...newApplicant(), mobileNumber }))
    const codes: (string | undefined)[] = []
    for (const person of household) codes.push((await initiate(person)).otpMobile)
    const answers = await Promise.all(
      household.map((person, n) =>
        portal.inject(verifyRegistration, { body: { ...contactOf(person), otpMobile: codes[n] } }),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409, 409, 409])
  })
})

describe("the portal's budget of SMS", () => {
  test('is shared by all callers; beyond it codes go out by mail only', async () => {
    const small = await startHarness({ limits: { smsPerHour: { max: 2, windowMs: 60 * 60_000 } } })
    try {
      const begin = async (n: number) => {
        const body = { ...applicant, personalEmail: `a${n}@example.com`, mobileNumber: String(9_200_000_000 + n) }
        const answer = await small.inject(initiateRegistration, { body, address: `203.0.113.${n}` })
        return { body, said: answer.json(), cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '' }
      }
      for (let n = 0; n < 4; n++) await begin(n)
      expect([small.world.mails.length, small.world.texts.length]).toEqual([4, 2])
      expect((await begin(4)).said).toEqual({
        success: true,
        message: 'OTP sent successfully to your email! Enter that one, because no SMS could be sent.',
        isByEmailOnly: true,
      })
      const last = await begin(5)
      const { otpEmail } = small.lastCodes()
      small.world.passSeconds(31)
      const { cookie } = last
      expect(
        await small.refuse(resendCodes, { cookie, body: { ...contactOf(last.body), type: 'mobile' } }),
      ).toMatchObject({
        status: 503,
        message: 'Failed to resend OTP. Please try again.',
      })
      await small.call(verifyRegistration, { body: { ...contactOf(last.body), otpEmail } })
      small.world.passSeconds(60 * 60)
      await begin(6)
      expect(small.world.texts).toHaveLength(3)
    } finally {
      await small.stop()
    }
  })
})

test('a tenth of the SMS budget is for each address and each range of numbers', async () => {
  const hour = { windowMs: 60 * 60_000 }
  const limits = { smsPerAddress: { max: 2, ...hour }, smsPerNumberPrefix: { max: 3, ...hour } }
  const small = await startHarness({ limits })
  try {
    let begun = 0
    const isSmsSent = async (address: string, prefix: number) => {
      const before = small.world.texts.length
      begun += 1
      const mobileNumber = String(prefix * 1_000_000 + begun)
      const body = { ...applicant, personalEmail: `b${begun}@example.com`, mobileNumber }
      await small.call(initiateRegistration, { body, address })
      return small.world.texts.length > before
    }
    const sent: boolean[] = []
    for (const prefix of [9_200, 9_201, 9_202]) sent.push(await isSmsSent('203.0.113.1', prefix))
    expect(sent).toEqual([true, true, false])
    // The SMS that was not sent counts for nothing else.
    for (const n of [2, 3, 4, 5]) sent.push(await isSmsSent(`203.0.113.${n}`, 9_202))
    expect(sent.slice(3)).toEqual([true, true, true, false])
    expect(await isSmsSent('203.0.113.6', 9_203)).toBe(true)
  } finally {
    await small.stop()
  }
})

describe('an address that was registered without the code sent to it', () => {
  const emailVerifiedOf = async (person: Applicant) => {
    const { userId } = { userId: (await portal.logIn(person)).user._id }
    const listed = await portal.call(listUsers, { token: await adminToken() })
    return listed.users.find(({ _id }) => _id === userId)?.emailVerified
  }
  let token: string | undefined
  const adminToken = async (): Promise<string> => {
    if (token !== undefined) return token
    const admin = { personalEmail: 'root@example.com', password: 'Haystack-2026' }
    await portal.parts.auth.ensureFirstAdmin({ email: admin.personalEmail, password: admin.password })
    await until(async () => void (token = (await portal.logIn(admin)).token))
    return token ?? ''
  }
  const registerByPhone = async (person: Applicant) => {
    const { otpMobile } = await initiate(person)
    await verify(person, { otpMobile })
  }

  test('is marked for admins, and its owner is notified once', async () => {
    const [proved, unproved] = [newApplicant(), newApplicant()]
    await portal.register(proved)
    await registerByPhone(unproved)
    expect([await emailVerifiedOf(proved), await emailVerifiedOf(unproved)]).toEqual([true, false])
    const told = (person: Applicant) =>
      portal.world.mails.filter(({ to, code }) => to === person.personalEmail && code === undefined)
    expect(told(proved)).toEqual([])
    expect(told(unproved)).toEqual([
      expect.objectContaining({
        subject: 'An account was created with your email address',
        text: expect.stringContaining('https://portal.example/register'),
      }),
    ])
  })

  test("is taken back with its owner's code, which ends the login and sessions of the former account", async () => {
    const stranger = newApplicant()
    await registerByPhone(stranger)
    const session = await portal.logIn(stranger)
    const owner = { ...newApplicant(), personalEmail: stranger.personalEmail, password: 'Haystack-2026' }
    portal.world.passSeconds(31)
    const cookie = await initiateIn(owner)
    const codes = portal.lastCodes()
    const byPhone = await verifyIn(cookie, owner, { otpMobile: codes.otpMobile })
    expect([byPhone.statusCode, byPhone.json()]).toMatchObject([409, { code: 'conflict' }])
    expect((await verifyIn(cookie, owner, { otpEmail: codes.otpEmail })).statusCode).toBe(200)

    expect((await portal.logIn(owner)).user._id).not.toBe(session.user._id)
    expect(await portal.refuse(logIn, { body: stranger })).toMatchObject({ status: 401 })
    expect(await portal.refuse(getProfile, { token: session.token })).toMatchObject({ status: 401 })
    expect(await emailVerifiedOf(owner)).toBe(true)
    const listed = await portal.call(listUsers, { token: await adminToken() })
    expect(listed.users.filter(({ personalEmail }) => personalEmail === owner.personalEmail)).toHaveLength(1)
    expect(await refuseInitiate(owner)).toMatchObject({ status: 409 })
    expect(portal.world.securityLog.events.map(({ event }) => event)).toContain('email-reclaimed')

    // Neither erasing the former account nor building the read models again touches the owner's.
    await portal.parts.auth.eraseUser(session.user._id)
    expect((await portal.logIn(owner)).user.fullName).toBe(owner.fullName)
    await portal.restart({ namespace: 'again' })
    expect((await portal.logIn(owner)).user.fullName).toBe(owner.fullName)
  })

  test('is proved by a mailed reset link, and no one else can take it back', async () => {
    const person = newApplicant()
    await registerByPhone(person)
    await portal.call(forgotPassword, { body: { personalEmail: person.personalEmail } })
    const linkMailed = () => portal.world.mails.findLast(({ to, link }) => to === person.personalEmail && link)?.link
    await until(() => expect(linkMailed()).toBeDefined())
    const reset = new URL(linkMailed() ?? '').searchParams.get('token') ?? ''
    await portal.call(resetPassword, { params: { token: reset }, body: { password: 'Haystack-2027' } })
    const changed = { ...person, password: 'Haystack-2027' }
    await until(async () => expect(await emailVerifiedOf(changed)).toBe(true))
    portal.world.passSeconds(31)
    expect(await refuseInitiate(person)).toMatchObject({ status: 409 })
  })
})
