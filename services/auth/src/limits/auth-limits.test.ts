import { forgotPassword, initiateRegistration, logIn } from '@portal/contracts/auth/http'
import { afterEach, expect, test } from 'vitest'
import { applicant, type Harness, startHarness } from '../testing/harness.ts'

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

test('one address starts so many registrations; others are not held up', async () => {
  portal = await startHarness({ limits: { registrationsPerAddress: { most: 3, windowMs: 10 * minuteMs } } })
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

test('one address guesses at so many accounts; others are not held up', async () => {
  portal = await startHarness({ limits: { logInFailuresPerAddress: { most: 5, windowMs: minuteMs } } })
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

test('many addresses that guess at one account are stopped together', async () => {
  portal = await startHarness({ limits: { logInFailuresPerEmail: { most: 5, windowMs: minuteMs } } })
  const guess = (n: number) => {
    const body = { personalEmail: applicant.personalEmail, password: 'Password-1' }
    return portal.inject(logIn, { body, address: `198.51.100.${n}` })
  }
  for (let n = 0; n < 5; n++) expect((await guess(n)).statusCode).toBe(401)
  expect((await guess(5)).statusCode).toBe(429)
})

test('one address asks for so many reset links, and others are not held up', async () => {
  portal = await startHarness({ limits: { resetLinksPerAddress: { most: 3, windowMs: 10 * minuteMs } } })
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

test('nobody keeps another from asking for a reset link, and no mailbox gets more than so many', async () => {
  portal = await startHarness({
    limits: {
      resetLinksPerEmailAndAddress: { most: 2, windowMs: 10 * minuteMs },
      resetLinksPerEmail: { most: 3, windowMs: 10 * minuteMs },
    },
  })
  const { personalEmail } = applicant
  const ask = (address: string) => portal.inject(forgotPassword, { body: { personalEmail }, address })
  const statuses: number[] = []
  for (const last of [1, 1, 1, 2, 3]) statuses.push((await ask(`198.51.100.${last}`)).statusCode)
  expect(statuses).toEqual([200, 200, 429, 200, 429])
})

test('more passwords at once than can be hashed in good time are refused, known and unknown addresses alike', async () => {
  portal = await startHarness({ passwordHashing: { threads: 1, mostWaiting: 4 } })
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
