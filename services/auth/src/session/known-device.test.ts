import { logIn } from '@portal/contracts/auth/http'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'
import { until } from '@portal/platform/testing/until'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const { personalEmail, password } = applicant
const nat = '198.51.100.1'

let portal: Harness
beforeEach(async () => {
  portal = await startHarness({
    limits: {
      logInFailuresPerAddress: { max: 300, windowMs: 15 * minuteMs },
      logInFailuresPerEmail: { max: 20, windowMs: 15 * minuteMs },
      logInFailuresPerEmailInHours: { max: 30, windowMs: 4 * hourMs },
      logInFailuresPerEmailInDay: { max: 1_000, windowMs: 24 * hourMs },
      logInFailuresBeforeNotice: { max: 15, windowMs: 24 * hourMs },
    },
  })
  await portal.register()
})
afterEach(() => portal.stop())

type Call = { readonly email?: string; readonly guess?: string; readonly address?: string; readonly cookie?: string }
const tryLogIn = ({ email = personalEmail, guess = password, address = nat, cookie }: Call = {}) =>
  portal.inject(logIn, {
    body: { personalEmail: email, password: guess },
    address,
    ...(cookie !== undefined && { cookie }),
  })
const statusOf = async (call?: Call) => (await tryLogIn(call)).statusCode

/** The cookie that a browser keeps after a login. */
const deviceOf = async (call?: Call): Promise<string> => {
  const response = await tryLogIn(call)
  expect(response.statusCode).toBe(200)
  const cookie = /portal_device=[^;,]+/.exec(String(response.headers['set-cookie']))?.[0]
  if (cookie === undefined) throw new Error('No device cookie was set')
  return cookie
}
const guessFrom = async (address: string, count: number, email = personalEmail) => {
  const statuses: number[] = []
  for (let n = 0; n < count; n++) statuses.push(await statusOf({ email, guess: `guess-${n}`, address }))
  return statuses
}

describe('a device that an account has logged in with', () => {
  test('gets a cookie that no script can read and no neighboring host can plant', async () => {
    const response = await tryLogIn()
    const cookies = [response.headers['set-cookie']].flat().filter((cookie) => cookie?.includes('portal_device='))
    expect(cookies).toHaveLength(1)
    expect(cookies[0]).toMatch(/^__Host-portal_device=.*; Path=\/; Expires=.*; HttpOnly; SameSite=Strict; Secure$/)
    expect(cookies[0]).not.toContain(portal.parts.vault.index('email', personalEmail))
  })

  test('can log in from an address with 300 failures, where strangers are rejected', async () => {
    const device = await deviceOf()
    for (let n = 0; n < 300; n++) await statusOf({ email: `person-${n}@example.com`, guess: 'Password-1' })
    const refused = await tryLogIn()
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toMatchObject({ message: 'Too many failed logins. Please try again in 15 minutes.' })
    expect(await statusOf({ cookie: device })).toBe(200)
  })

  test('can log in while strangers guess at the account from many addresses', async () => {
    const device = await deviceOf()
    for (let n = 0; n < 20; n++) await guessFrom(`203.0.113.${n}`, 1)
    expect(await statusOf({ address: '203.0.113.200' })).toBe(429)
    expect(await statusOf({ address: '203.0.113.200', cookie: device })).toBe(200)
  })

  test('has its own limit, which affects no other device', async () => {
    const [device, other] = [await deviceOf(), await deviceOf()]
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push(await statusOf({ guess: `guess-${n}`, cookie: device }))
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
    expect(await statusOf({ cookie: device })).toBe(429)
    expect(await statusOf({ cookie: other })).toBe(200)
  })

  test('is known for one account; a changed or expired cookie is ignored', async () => {
    const device = await deviceOf()
    const other = { ...applicant, personalEmail: 'other@example.com', mobileNumber: '9876501235' }
    await portal.register(other)
    for (let n = 0; n < 20; n++) await guessFrom(`203.0.113.${n}`, 1, other.personalEmail)
    for (let n = 0; n < 20; n++) await guessFrom(`203.0.113.${n}`, 1)
    const address = '203.0.113.200'
    expect(await statusOf({ email: other.personalEmail, address, cookie: device })).toBe(429)
    for (const changed of [`${device}0`, device.replace('=', '=x'), 'portal_device=', 'portal_device=a.1.b'])
      expect(await statusOf({ address, cookie: changed })).toBe(429)
    expect(await statusOf({ address, cookie: device })).toBe(200)
    portal.world.passSeconds(181 * 24 * 60 * 60)
    for (let n = 0; n < 20; n++) await guessFrom(`203.0.113.${n}`, 1)
    expect(await statusOf({ address: '203.0.113.201', cookie: device })).toBe(429)
  })

  test('keeps up to four accounts that share a browser', async () => {
    const others = Array.from({ length: 4 }, (_, n) => ({
      ...applicant,
      personalEmail: `sibling-${n}@example.com`,
      mobileNumber: `987650124${n}`,
    }))
    for (const other of others) await portal.register(other)
    let cookie = await deviceOf()
    for (const { personalEmail: email } of others) cookie = await deviceOf({ email, cookie })
    expect(cookie.split('~')).toHaveLength(4)
    const again = await deviceOf({ email: others[0]?.personalEmail ?? '', cookie })
    expect(again.split('~')).toHaveLength(4)
  })
})

describe('guesses of strangers', () => {
  test('are delayed before they are rejected, for known and unknown accounts alike', async () => {
    const delaysFor = async (email: string) => {
      portal.world.delaysMs.length = 0
      for (let n = 0; n < 14; n++) await guessFrom(`203.0.113.${n}`, 1, email)
      return [...portal.world.delaysMs]
    }
    const known = await delaysFor(personalEmail)
    expect(known).toEqual([125, 250, 500, 1_000, 2_000, 2_000])
    expect(await delaysFor('nobody@example.com')).toEqual(known)
    portal.world.passSeconds(15 * 60)
    portal.world.delaysMs.length = 0
    await guessFrom('203.0.113.1', 1)
    expect(portal.world.delaysMs).toEqual([])
  })

  test('cost as many reads, counts and delays for an unknown address as for a known one', async () => {
    const { readModel } = portal.parts
    const get = vi.spyOn(readModel, 'get')
    const before = (await portal.recorded()).length
    const readsFor = async (email: string) => {
      get.mockClear()
      for (let n = 0; n < 10; n++) expect(await guessFrom(nat, 1, email)).toEqual([401])
      const refused = await guessFrom(nat, 1, email)
      return { reads: get.mock.calls.map(([ref]) => ref.collection), refused }
    }
    const known = await readsFor(personalEmail)
    expect(known).toEqual({ reads: Array.from({ length: 10 }, () => 'login'), refused: [429] })
    expect(await readsFor('nobody@example.com')).toEqual(known)
    expect(await portal.recorded()).toHaveLength(before)
  })

  test('wait longer the longer they continue', async () => {
    let tried = 0
    for (let round = 0; round < 8; round++) {
      for (let n = 0; n < 25; n++) if ((await guessFrom(`203.0.113.${n}`, 1))[0] === 401) tried += 1
      portal.world.passSeconds(15 * 60)
    }
    // Two hours: eight windows of 20, and one of 30.
    expect(tried).toBe(30)
  })

  test('are reported to the owner once a day, and to no one else', async () => {
    const notices = () => portal.world.mails.filter(({ subject }) => subject.startsWith('Failed attempts'))
    for (let n = 0; n < 20; n++) await guessFrom(`203.0.113.${n}`, 1, 'nobody@example.com')
    for (let n = 0; n < 15; n++) await guessFrom(`203.0.113.${n}`, 1)
    expect(notices()).toEqual([])
    for (let n = 15; n < 20; n++) await guessFrom(`203.0.113.${n}`, 1)
    await until(() => expect(notices()).toHaveLength(1))
    expect(notices()[0]).toMatchObject({ to: personalEmail })
    portal.world.passSeconds(24 * 60 * 60)
    for (let n = 0; n < 20; n++) await guessFrom(`203.0.113.${n}`, 1)
    await until(() => expect(notices()).toHaveLength(2))
  })
})

test('logins and logouts are in the security log, without passwords or email addresses', async () => {
  const { securityLog } = portal.world
  await tryLogIn({ guess: 'Wrong-guess-1' })
  await tryLogIn()
  await tryLogIn({ email: 'nobody@example.com', guess: 'Wrong-guess-1' })
  const logIns = securityLog.events.filter(({ event }) => event === 'log-in')
  const mailbox = portal.parts.vault.index('email', personalEmail)
  expect(logIns).toMatchObject([
    { result: 'refused', code: 'unauthenticated', mailbox, address: nat },
    { result: 'ok', mailbox, role: 'student' },
    { result: 'refused', code: 'unauthenticated' },
  ])
  for (const secret of ['Wrong-guess-1', password, personalEmail]) expect(securityLog.text()).not.toContain(secret)
})
