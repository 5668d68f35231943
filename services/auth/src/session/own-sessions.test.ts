import { getProfile, logIn } from '@portal/contracts/auth/http'
import { listSessions, signOutOtherSessions, signOutSession } from '@portal/contracts/auth/sessions'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let portal: Harness
beforeEach(async () => {
  portal = await startHarness()
  await portal.register()
})
afterEach(() => portal.stop())

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const phone =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

const { personalEmail, password } = applicant
const at = (time: string) => ({ startedAt: time, usedAt: time })
const logInWith = async (userAgent: string, person = { personalEmail, password }): Promise<string> =>
  (await portal.call<typeof logIn>(logIn, { body: person, headers: { 'user-agent': userAgent } })).data.token
const sessionsOf = async (token: string, userAgent = firefox) =>
  (await portal.call(listSessions, { token, headers: { 'user-agent': userAgent } })).sessions
const isOpen = async (token: string): Promise<boolean> =>
  (await portal.inject(getProfile, { token })).statusCode === 200

describe('where a user is signed in', () => {
  test('lists this session first, then the newest, with browser and system in words and without versions', async () => {
    const here = await logInWith(firefox)
    portal.world.passSeconds(60)
    await logInWith(phone)
    portal.world.passSeconds(60)
    await logInWith('curl/8')
    expect(await sessionsOf(here)).toEqual([
      {
        id: expect.any(String),
        device: 'Firefox on Linux',
        ...at('2026-03-02T09:00:00.000Z'),
        isThis: true,
      },
      { id: expect.any(String), device: 'A browser', ...at('2026-03-02T09:02:00.000Z'), isThis: false },
      { id: expect.any(String), device: 'Chrome on Android', ...at('2026-03-02T09:01:00.000Z'), isThis: false },
    ])
    expect(JSON.stringify(await portal.recorded())).not.toMatch(/Mozilla|140\.|curl/)
  })

  test('lists neither ended nor expired sessions, nor those of others', async () => {
    const other = { ...applicant, personalEmail: 'ravi@example.com', mobileNumber: '9876501235' }
    await logInWith(phone)
    portal.world.passSeconds(7 * 24 * 60 * 60)
    await portal.register(other)
    await logInWith(phone, other)
    const here = await logInWith(firefox)
    expect((await sessionsOf(here)).map(({ isThis }) => isThis)).toEqual([true])
  })
})

describe('signing out elsewhere', () => {
  test('ends one session at once and for good, and no other', async () => {
    const [here, lost, other] = [await logInWith(firefox), await logInWith(phone), await logInWith(phone)]
    const [, , oldest] = await sessionsOf(here)
    const params = { id: oldest?.id ?? '' }
    expect(await portal.call(signOutSession, { token: here, params })).toMatchObject({ message: 'Signed out there' })
    expect([await isOpen(here), await isOpen(lost), await isOpen(other)]).toEqual([true, false, true])
    expect(await sessionsOf(here)).toHaveLength(2)
    expect((await portal.recorded()).at(-1)).toMatchObject({ type: 'SessionEnded', data: { reason: 'signed-out' } })
    expect(portal.world.securityLog.events).toContainEqual(
      expect.objectContaining({ event: 'session-ended', code: 'signed-out', sessionId: params.id }),
    )
    await portal.restart()
    expect(await isOpen(lost)).toBe(false)
    expect(await portal.refuse(signOutSession, { token: here, params })).toMatchObject({
      status: 404,
      message: 'This device is no longer signed in',
    })
  })

  test('ends all others and keeps this one', async () => {
    const [here, one, two] = [await logInWith(firefox), await logInWith(phone), await logInWith(phone)]
    expect(await portal.call(signOutOtherSessions, { token: here })).toMatchObject({ count: 2 })
    expect([await isOpen(here), await isOpen(one), await isOpen(two)]).toEqual([true, false, false])
    expect(await portal.call(signOutOtherSessions, { token: here })).toMatchObject({ count: 0 })
  })

  test('ends no session of another user', async () => {
    const other = { ...applicant, personalEmail: 'ravi@example.com', mobileNumber: '9876501235' }
    await portal.register(other)
    const [own, foreign] = [await logInWith(firefox), await logInWith(phone, other)]
    const [{ id } = { id: '' }] = await sessionsOf(foreign)
    expect(await portal.refuse(signOutSession, { token: own, params: { id } })).toMatchObject({ status: 404 })
    await portal.call(signOutOtherSessions, { token: own })
    expect(await isOpen(foreign)).toBe(true)
  })

  test('ends this session like a logout, with its cookie', async () => {
    const here = await logInWith(firefox)
    const [{ id } = { id: '' }] = await sessionsOf(here)
    const answer = await portal.inject(signOutSession, { token: here, params: { id } })
    expect(String(answer.headers['set-cookie'])).toMatch(/^__Host-portal_session=; .*Expires=Thu, 01 Jan 1970/)
    expect(await isOpen(here)).toBe(false)
  })
})
