import { forgotPassword, initiateRegistration, logIn, resetPassword } from '@portal/contracts/auth/http'
import { afterEach, expect, test } from 'vitest'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'
import { until } from '@portal/platform/testing/until'

let portal: Harness
afterEach(() => portal.stop())

const minuteMs = 60_000
const busy = {
  success: false,
  code: 'unavailable',
  message: 'The portal is very busy right now. Please try again in a moment.',
}
const person = (n: number) => ({
  ...applicant,
  personalEmail: `person-${n}@example.com`,
  mobileNumber: String(9_100_000_000 + n),
})

test('limits registrations per address without affecting others', async () => {
  portal = await startHarness({ limits: { registrationsPerAddress: { max: 3, windowMs: 10 * minuteMs } } })
  const initiate = (n: number, address: string) => portal.inject(initiateRegistration, { body: person(n), address })
  for (let n = 0; n < 3; n++) expect((await initiate(n, '2001:db8::1')).statusCode).toBe(200)
  const refused = await initiate(3, '2001:db8::2')
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toMatchObject({
    message: 'Too many registrations from here. Please try again in 10 minutes.',
    retryAfterSeconds: 600,
  })
  expect((await initiate(3, '2001:db8:0:1::1')).statusCode).toBe(200)
  portal.world.passSeconds(600)
  expect((await initiate(4, '2001:db8::1')).statusCode).toBe(200)
})

test('limits registrations of a mailbox, and a few callers do not use up the first one from elsewhere', async () => {
  portal = await startHarness()
  const begin = async (address: string, n: number) => {
    const body = { ...applicant, mobileNumber: String(9_100_000_000 + n) }
    return (await portal.inject(initiateRegistration, { body, address })).statusCode
  }
  const statuses: number[] = []
  for (let n = 0; n < 20; n++) statuses.push(await begin(`203.0.113.${n % 5}`, n))
  expect(statuses.filter((status) => status === 200)).toHaveLength(15)
  expect(await begin('198.51.100.1', 20)).toBe(200)
  for (let n = 6; n < 20; n++) expect(await begin(`203.0.113.${n}`, 20 + n)).toBe(200)
  expect(await begin('198.51.100.2', 40)).toBe(429)
})

test('limits guesses per address without affecting others', async () => {
  portal = await startHarness({ limits: { logInFailuresPerAddress: { max: 5, windowMs: minuteMs } } })
  await portal.register()
  const guess = (n: number, address: string) => {
    const body = { personalEmail: person(n).personalEmail, password: 'Password-1' }
    return portal.inject(logIn, { body, address })
  }
  for (let n = 0; n < 5; n++) expect((await guess(n, '198.51.100.1')).statusCode).toBe(401)
  expect((await guess(5, '198.51.100.1')).statusCode).toBe(429)
  expect((await guess(5, '198.51.100.2')).statusCode).toBe(401)
  await portal.logIn()
})

test('guesses from elsewhere do not lock out an owner who logged in before or reset the password', async () => {
  portal = await startHarness({ limits: { logInFailuresPerEmail: { max: 12, windowMs: 15 * minuteMs } } })
  await portal.register()
  const { personalEmail, password } = applicant
  const tryAt = async (address: string, typed: string) =>
    (await portal.inject(logIn, { body: { personalEmail, password: typed }, address })).statusCode
  const guessFromAfar = async () => {
    for (let n = 0; n < 13; n++) await tryAt(`203.0.113.${n}`, 'Password-1')
  }
  expect(await tryAt('198.51.100.1', password)).toBe(200)
  await guessFromAfar()
  expect(await tryAt('198.51.100.1', password)).toBe(200)
  expect(await tryAt('198.51.100.2', password)).toBe(429)

  await portal.call(forgotPassword, { body: { personalEmail } })
  await until(() => expect(portal.world.mails.at(-1)?.link).toBeDefined())
  const token = new URL(portal.world.mails.at(-1)?.link ?? '').searchParams.get('token') ?? ''
  const newPassword = 'Haystack-2026'
  await portal.call(resetPassword, { params: { token }, body: { password: newPassword }, address: '198.51.100.2' })
  await guessFromAfar()
  expect(await tryAt('198.51.100.2', newPassword)).toBe(200)
  for (let n = 0; n < 10; n++) expect(await tryAt('198.51.100.2', 'Password-1')).toBe(401)
  expect(await tryAt('198.51.100.2', newPassword)).toBe(429)
})

test('limits logins per account, whatever the address, without affecting others', async () => {
  portal = await startHarness({ limits: { logInsPerEmail: { max: 5, windowMs: 60 * minuteMs } } })
  await portal.register()
  const other = { ...person(1), password: 'Haystack-2026' }
  await portal.register(other)
  const { personalEmail, password } = applicant
  const tryAt = (n: number) => portal.inject(logIn, { body: { personalEmail, password }, address: `198.51.100.${n}` })
  for (let n = 0; n < 5; n++) expect((await tryAt(n)).statusCode).toBe(200)
  const refused = await tryAt(5)
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toMatchObject({
    code: 'too-many-requests',
    message: 'Too many logins. Please try again in 60 minutes.',
    retryAfterSeconds: 3_600,
  })
  await portal.logIn(other)
  portal.world.passSeconds(3_600)
  expect((await tryAt(6)).statusCode).toBe(200)
})

test('limits reset links per address without affecting others', async () => {
  portal = await startHarness({ limits: { resetLinksPerAddress: { max: 3, windowMs: 10 * minuteMs } } })
  const ask = (n: number, address: string) =>
    portal.inject(forgotPassword, { body: { personalEmail: person(n).personalEmail }, address })
  for (let n = 0; n < 3; n++) expect((await ask(n, '198.51.100.1')).statusCode).toBe(200)
  const refused = await ask(3, '198.51.100.1')
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toMatchObject({
    message: 'Too many reset links requested. Please try again in 10 minutes.',
    retryAfterSeconds: 600,
  })
  expect((await ask(3, '198.51.100.2')).statusCode).toBe(200)
})

test('limits reset links per mailbox, and no caller can block another', async () => {
  portal = await startHarness({
    limits: {
      resetLinksPerEmailAndAddress: { max: 2, windowMs: 10 * minuteMs },
      resetLinksPerEmail: { max: 3, windowMs: 10 * minuteMs },
    },
  })
  await portal.register()
  for (const personalEmail of [applicant.personalEmail, 'nobody@example.com']) {
    const ask = (address: string) => portal.inject(forgotPassword, { body: { personalEmail }, address })
    const answers = []
    for (const last of [1, 1, 1, 2, 3]) answers.push(await ask(`198.51.100.${last}`))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429, 200, 200])
    expect(answers.at(-1)?.json()).toEqual(answers.at(0)?.json())
  }
  expect((await portal.recorded()).filter(({ type }) => type === 'PasswordResetRequested')).toHaveLength(6)
})

test('rejects reset requests for known and unknown addresses while too many mails are queued', async () => {
  portal = await startHarness({ linkSenderOptions: { maxInFlight: 1, retryDelaysMs: [60 * minuteMs] } })
  await portal.register()
  portal.world.outage.mail = new Error('no post today')
  await portal.call(forgotPassword, { body: { personalEmail: applicant.personalEmail } })
  for (const personalEmail of [applicant.personalEmail, 'nobody@example.com']) {
    expect(await portal.refuse(forgotPassword, { body: { personalEmail } })).toEqual({
      status: 503,
      success: false,
      code: 'unavailable',
      message: 'Failed to send reset email',
    })
  }
})

test('rejects logins of known and unknown addresses when the hashing queue is full', async () => {
  portal = await startHarness({ passwordHashing: { threads: 1, maxQueued: 4 } })
  await portal.register()
  const { personalEmail, password } = applicant
  const rush = await Promise.all([
    ...Array.from({ length: 12 }, () => portal.inject(logIn, { body: { personalEmail, password } })),
    ...Array.from({ length: 12 }, (_, n) =>
      portal.inject(logIn, { body: { personalEmail: person(n).personalEmail, password } }),
    ),
    ...Array.from({ length: 12 }, (_, n) => portal.inject(initiateRegistration, { body: person(50 + n) })),
  ])
  for (const answers of [rush.slice(0, 12), rush.slice(12, 24), rush.slice(24)]) {
    const refused = answers.filter(({ statusCode }) => statusCode === 503)
    expect(refused.length).toBeGreaterThan(0)
    for (const answer of refused) expect(answer.json()).toEqual(busy)
  }
  expect(rush.map(({ statusCode }) => statusCode)).not.toContain(500)
  await portal.logIn()
})
