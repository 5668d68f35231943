import { initiateRegistration, logIn, resendCodes, verifyRegistration } from '@portal/contracts/auth/http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Applicant, applicant, type Harness, startHarness } from '../testing/harness.ts'

let portal: Harness
beforeAll(async () => {
  portal = await startHarness()
})
afterAll(() => portal.stop())

let people = 0
/** Somebody who has nothing to do with the other tests. */
const somebody = (): Applicant => {
  people += 1
  return { ...applicant, personalEmail: `person-${people}@example.com`, mobileNumber: String(9_100_000_000 + people) }
}

const contactOf = ({ personalEmail, mobileNumber }: Applicant) => ({ email: personalEmail, mobileNumber })
const initiate = async (person: Applicant) => {
  await portal.call(initiateRegistration, { body: person })
  return portal.lastCodes()
}
const resend = (person: Applicant, type: 'email' | 'mobile' | 'both') =>
  portal.call(resendCodes, { body: { ...contactOf(person), type } })
const verify = (person: Applicant, codes: object) =>
  portal.call(verifyRegistration, { body: { ...contactOf(person), ...codes } })
const refuseInitiate = (person: Applicant) => portal.refuse(initiateRegistration, { body: person })
const refuseResend = (person: Applicant, type = 'both') =>
  portal.refuse(resendCodes, { body: { ...contactOf(person), type } })
const refuseVerify = (person: Applicant, codes: object) =>
  portal.refuse(verifyRegistration, { body: { ...contactOf(person), ...codes } })

const wrong = '999999'
const wrongCode = { status: 400, code: 'invalid', message: 'OTP verification failed. Please try again.' }

describe('starting a registration', () => {
  test('sends a code to the address and another one to the number', async () => {
    const person = somebody()
    const answer = await portal.call(initiateRegistration, { body: person })
    expect(answer).toEqual({ success: true, message: 'OTPs sent successfully to your email and phone!' })
    const mail = portal.world.mails.at(-1)
    const sms = portal.world.texts.at(-1)
    expect(mail).toEqual({
      to: person.personalEmail,
      subject: `${mail?.code} is your verification code`,
      text: expect.stringContaining(`Your verification code is ${mail?.code}.`),
      code: expect.stringMatching(/^\d{6}$/),
    })
    expect(sms).toEqual({
      to: person.mobileNumber,
      text: expect.stringContaining(`${sms?.code} is your verification code.`),
      code: expect.stringMatching(/^\d{6}$/),
    })
    expect(mail?.code).not.toBe(sms?.code)
  })

  test('again within 30 seconds is refused with the time to wait; later it replaces what was entered', async () => {
    const person = somebody()
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

  test('with an address that has an account is refused, whatever its case', async () => {
    const person = somebody()
    await portal.register(person)
    portal.world.passSeconds(60)
    const taken = {
      status: 409,
      code: 'conflict',
      message: 'An account with this email already exists. Please log in.',
    }
    expect(await refuseInitiate(person)).toMatchObject(taken)
    expect(await refuseInitiate({ ...person, personalEmail: person.personalEmail.toUpperCase() })).toMatchObject(taken)
  })

  test.each(['mail', 'sms'] as const)('when %s fails says so and may be repeated at once', async (part) => {
    const person = somebody()
    portal.world.outage[part] = new Error('no post today')
    expect(await refuseInitiate(person)).toMatchObject({
      status: 503,
      code: 'unavailable',
      message: 'Failed to send OTPs. Please try again.',
    })
    portal.world.outage[part] = undefined
    await verify(person, await initiate(person))
  })

  test('at the same moment from several tabs sends one set of codes', async () => {
    const person = somebody()
    const before = portal.world.mails.length
    const attempts = await Promise.all(
      Array.from({ length: 4 }, () => portal.inject(initiateRegistration, { body: person })),
    )
    expect(attempts.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 429, 429, 429])
    expect(portal.world.mails).toHaveLength(before + 1)
    await verify(person, portal.lastCodes())
  })

  test('one number gets so many codes an hour, whatever the address', async () => {
    const { mobileNumber } = somebody()
    for (let n = 0; n < 20; n++) await initiate({ ...somebody(), mobileNumber })
    expect(await refuseInitiate({ ...somebody(), mobileNumber })).toMatchObject({
      status: 429,
      message: 'Too many OTPs requested. Please try again in 60 minutes.',
      retryAfterSeconds: 3_600,
    })
    portal.world.passSeconds(3_600)
    await initiate({ ...somebody(), mobileNumber })
  })
})

describe('resending codes', () => {
  test.each([
    ['both', 'OTP resent successfully to your email and phone!', 1, 1],
    ['email', 'OTP resent successfully to your email!', 1, 0],
    ['mobile', 'OTP resent successfully to your mobile!', 0, 1],
  ] as const)('%s', async (type, message, mails, texts) => {
    const person = somebody()
    const first = await initiate(person)
    portal.world.passSeconds(30)
    const before = { mails: portal.world.mails.length, texts: portal.world.texts.length }
    expect(await resend(person, type)).toEqual({ success: true, message })
    expect(portal.world.mails).toHaveLength(before.mails + mails)
    expect(portal.world.texts).toHaveLength(before.texts + texts)
    const replaced = mails > 0 ? { otpEmail: first.otpEmail } : { otpMobile: first.otpMobile }
    expect(await refuseVerify(person, replaced)).toMatchObject(wrongCode)
    await verify(person, portal.lastCodes())
  })

  test('within 30 seconds is refused with the time to wait', async () => {
    const person = somebody()
    await initiate(person)
    portal.world.passSeconds(29)
    expect(await refuseResend(person)).toMatchObject({
      status: 429,
      message: 'Please wait 1 second before requesting another OTP.',
      retryAfterSeconds: 1,
    })
    portal.world.passSeconds(1)
    await resend(person, 'email')
    expect(await refuseResend(person, 'email')).toMatchObject({ status: 429, retryAfterSeconds: 30 })
    expect(await refuseResend(person, 'both')).toMatchObject({ status: 429, retryAfterSeconds: 30 })
    await resend(person, 'mobile')
  })

  test('is possible five times an hour', async () => {
    const person = somebody()
    await initiate(person)
    for (let n = 0; n < 5; n++) {
      portal.world.passSeconds(60)
      await resend(person, 'both')
    }
    portal.world.passSeconds(60)
    expect(await refuseResend(person)).toMatchObject({
      status: 429,
      message: 'Too many OTPs requested. Please try again in 55 minutes.',
      retryAfterSeconds: 55 * 60,
    })
    expect(await refuseInitiate(person)).toMatchObject({ status: 429, retryAfterSeconds: 55 * 60 })
    portal.world.passSeconds(55 * 60)
    await resend(person, 'both')
  })

  test('when sending fails says so and may be repeated at once', async () => {
    const person = somebody()
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

  test('needs a registration under way with that address and number', async () => {
    const refusal = { status: 404, code: 'not-found', message: 'Registration not found. Please start again.' }
    const person = somebody()
    expect(await refuseResend(person)).toMatchObject(refusal)
    const codes = await initiate(person)
    portal.world.passSeconds(30)
    expect(await refuseResend({ ...person, mobileNumber: '9222222222' })).toMatchObject(refusal)
    await verify(person, codes)
    expect(await refuseResend(person)).toMatchObject(refusal)
  })
})

describe('verifying the codes', () => {
  test.each([
    ['both codes', ['otpEmail', 'otpMobile']],
    ['the code from the mail alone', ['otpEmail']],
    ['the code from the phone alone', ['otpMobile']],
  ] as const)('%s make the account, which can be used at once', async (_name, used) => {
    const person = somebody()
    const codes = await initiate(person)
    const entered = Object.fromEntries(used.map((name) => [name, codes[name]]))
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
  })

  test('an empty code counts as not entered', async () => {
    const person = somebody()
    const { otpMobile } = await initiate(person)
    expect(await verify(person, { otpEmail: '', otpMobile })).toMatchObject({ success: true })
  })

  test('every code that is given must be right', async () => {
    const person = somebody()
    const { otpEmail, otpMobile } = await initiate(person)
    expect(await refuseVerify(person, { otpEmail, otpMobile: wrong })).toMatchObject(wrongCode)
    expect(await refuseVerify(person, { otpEmail: otpMobile, otpMobile: otpEmail })).toMatchObject(wrongCode)
    const { personalEmail, password } = person
    expect(await portal.refuse(logIn, { body: { personalEmail, password } })).toMatchObject({ status: 401 })
    await verify(person, { otpEmail, otpMobile })
  })

  test('after five wrong attempts the right code is refused too, also after a restart, until a new one is sent', async () => {
    const person = somebody()
    const { otpEmail } = await initiate(person)
    for (let n = 0; n < 5; n++) expect(await refuseVerify(person, { otpEmail: wrong })).toMatchObject(wrongCode)
    await portal.restart()
    expect(await refuseVerify(person, { otpEmail })).toMatchObject({
      status: 429,
      code: 'too-many-requests',
      message: 'Too many wrong attempts. Please request a new OTP.',
    })
    portal.world.passSeconds(30)
    await resend(person, 'email')
    await verify(person, { otpEmail: portal.lastCodes().otpEmail })
  })

  test('of many guesses at once no more than five count', async () => {
    const person = somebody()
    await initiate(person)
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () =>
        portal.inject(verifyRegistration, { body: { ...contactOf(person), otpEmail: wrong } }),
      ),
    )
    const counted = guesses.filter(({ statusCode }) => statusCode === 400)
    expect(counted).toHaveLength(5)
  })

  test('a code is good for ten minutes', async () => {
    const person = somebody()
    const { otpEmail } = await initiate(person)
    portal.world.passSeconds(10 * 60)
    expect(await refuseVerify(person, { otpEmail })).toMatchObject({
      status: 400,
      message: 'OTP has expired. Please request a new OTP.',
    })
  })

  test('asking again after the answer was lost succeeds again and makes no second account', async () => {
    const person = somebody()
    const codes = await initiate(person)
    const answers = [await verify(person, codes), await verify(person, codes)]
    expect(answers[0]).toEqual(answers[1])
    const { user } = await portal.logIn(person)
    const registrations = (await portal.recorded()).filter(({ stream }) => stream === `user-${user._id}`)
    expect(registrations).toHaveLength(1)
    expect(await refuseVerify(person, { otpEmail: wrong })).toMatchObject(wrongCode)
  })

  test('at the same moment from several tabs makes one account', async () => {
    const person = somebody()
    const codes = await initiate(person)
    await Promise.all(Array.from({ length: 4 }, () => verify(person, codes)))
    const { user } = await portal.logIn(person)
    const recorded = await portal.recorded()
    expect(recorded.filter(({ stream }) => stream === `user-${user._id}`)).toHaveLength(1)
  })

  test('says the same about an address nobody registers, another number and a wrong code', async () => {
    const person = somebody()
    const codes = await initiate(person)
    const answers = [
      await refuseVerify(somebody(), codes),
      await refuseVerify({ ...person, mobileNumber: '9333333333' }, codes),
      await refuseVerify(person, { otpEmail: wrong }),
    ]
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject(wrongCode)
  })
})

describe('in a browser', () => {
  /** Starts a registration, and answers the cookie that the browser has from then on. */
  const initiateIn = async (person: Applicant, cookie?: string): Promise<string> => {
    const answer = await portal.inject(initiateRegistration, { body: person, ...(cookie !== undefined && { cookie }) })
    expect(answer.statusCode).toBe(200)
    return String(answer.headers['set-cookie']).split(';')[0] ?? ''
  }
  const verifyIn = (cookie: string, person: Applicant, codes: object) =>
    portal.inject(verifyRegistration, { cookie, body: { ...contactOf(person), ...codes } })
  const startedElsewhere = {
    success: false,
    code: 'invalid',
    message: 'This registration was started again elsewhere. Please go back and request new OTPs.',
  }

  test('a secret tells it from others, out of reach of scripts and other sites, for a little more than an hour', async () => {
    const answer = await portal.inject(initiateRegistration, { body: somebody() })
    const { now } = portal.world.sources
    const expires = new Date(now().getTime() + 70 * 60_000).toUTCString()
    expect(answer.headers['set-cookie']).toMatch(
      new RegExp(
        `^__Host-portal_registration=[\\w-]{43}; Path=/; Expires=${expires}; HttpOnly; SameSite=Strict; Secure$`,
      ),
    )
  })

  test('nobody finishes what a stranger has started again, and whoever owns the address just starts again', async () => {
    const owner = somebody()
    const stranger = { ...owner, fullName: 'Somebody Else', password: 'Passerby-2026' }
    const cookie = await initiateIn(owner)
    portal.world.passSeconds(31)
    await initiateIn(stranger)
    const codes = portal.lastCodes()
    for (const entered of [codes, { otpMobile: codes.otpMobile }, { otpEmail: wrong }]) {
      const refused = await verifyIn(cookie, owner, entered)
      expect([refused.statusCode, refused.json()]).toEqual([400, startedElsewhere])
    }
    const resent = await portal.inject(resendCodes, { cookie, body: { ...contactOf(owner), type: 'both' } })
    expect([resent.statusCode, resent.json()]).toEqual([400, startedElsewhere])
    expect(await portal.refuse(logIn, { body: stranger })).toMatchObject({ status: 401 })

    portal.world.passSeconds(31)
    expect(await initiateIn(owner, cookie)).toBe(cookie)
    expect((await verifyIn(cookie, owner, portal.lastCodes())).statusCode).toBe(200)
    expect((await portal.logIn(owner)).user.fullName).toBe(owner.fullName)
    expect(await portal.refuse(logIn, { body: stranger })).toMatchObject({ status: 401 })
  })

  test('two registrations in two tabs, codes sent again and an answer asked for twice do no harm', async () => {
    const [first, second] = [somebody(), somebody()]
    const cookie = await initiateIn(first)
    const firstCodes = portal.lastCodes()
    expect(await initiateIn(second, cookie)).toBe(cookie)
    portal.world.passSeconds(30)
    await portal.call(resendCodes, { cookie, body: { ...contactOf(second), type: 'email' } })
    const secondCodes = { otpEmail: portal.lastCodes().otpEmail }
    for (let n = 0; n < 2; n++) {
      expect((await verifyIn(cookie, first, firstCodes)).statusCode).toBe(200)
      expect((await verifyIn(cookie, second, secondCodes)).statusCode).toBe(200)
    }
  })

  test('a registration that is not there sounds like one that was started elsewhere', async () => {
    const person = somebody()
    const cookie = await initiateIn(person)
    const codes = portal.lastCodes()
    for (const other of [somebody(), { ...person, mobileNumber: '9333333333' }]) {
      expect((await verifyIn(cookie, other, codes)).json()).toEqual(startedElsewhere)
    }
  })

  test('what no portal has given it counts as nothing', async () => {
    const person = somebody()
    const codes = await initiate(person)
    for (const value of ['short', `${'x'.repeat(44)}`, '']) {
      expect((await verifyIn(`portal_registration=${value}`, person, { otpEmail: wrong })).json()).toMatchObject({
        message: wrongCode.message,
      })
    }
    expect((await verifyIn('portal_registration=a.b', person, codes)).statusCode).toBe(200)
  })
})
