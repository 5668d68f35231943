import { forgotPassword, getProfile, listUsers, logIn, resetPassword } from '@portal/contracts/auth/http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPasswordHashing } from '../passwords/password-hashing.ts'
import { applicant, type Harness, lowCost, startHarness } from '@portal/auth/testing/harness'
import { adminGrantSchema } from './admin-grant.ts'
import { applyAdminGrant } from './apply-admin-grant.ts'
import { prepareAdminGrant } from './prepare-admin-grant.ts'
import { until } from '@portal/platform/testing/until'

let portal: Harness
beforeEach(async () => {
  portal = await startHarness()
})
afterEach(() => portal.stop())

const { personalEmail, password } = applicant
const chosen = 'Wheelhouse-4711'

const prepare = async (email = personalEmail) => {
  const { eventStore: log, vault } = portal.parts
  const passwords = createPasswordHashing({ cost: lowCost, threads: 1, niceness: 0 })
  try {
    const { clockAndIds } = portal.world
    return await prepareAdminGrant({ log, vault, passwords, clockAndIds }, { email, by: 'operator' })
  } finally {
    await passwords.close()
  }
}
const prepared = async (email?: string) => {
  const result = await prepare(email)
  if (!result.ok) throw new Error(result.error)
  return result.value
}
const apply = (grant: Awaited<ReturnType<typeof prepared>>['grant']) =>
  // As it comes from a file.
  applyAdminGrant(portal.parts.eventStore, adminGrantSchema.parse(JSON.parse(JSON.stringify(grant))), now())
const now = () => portal.world.clockAndIds.now()
const reset = async (token: string, to = chosen) =>
  (await portal.inject(resetPassword, { params: { token }, body: { password: to } })).statusCode
const logInStatus = async (typed: string) =>
  (await portal.inject(logIn, { body: { personalEmail, password: typed } })).statusCode

describe('a grant for an existing account', () => {
  beforeEach(() => portal.register())

  test('makes it an admin, ends its sessions and password, and lets the link set a new one once', async () => {
    const { token } = await portal.logIn()
    const { grant, token: linkToken } = await prepared()
    expect(await apply(grant)).toMatchObject({ ok: true })
    await until(async () => expect((await portal.inject(getProfile, { token })).statusCode).toBe(401))
    expect(await logInStatus(password)).toBe(401)
    expect([await reset(linkToken), await reset(linkToken)]).toEqual([200, 400])
    const admin = await portal.logIn({ personalEmail, password: chosen })
    expect((await portal.call(listUsers, { token: admin.token })).users).toMatchObject([{ role: 'admin' }])
  })

  test('keeps its link valid for 72 hours, whatever links strangers request', async () => {
    const { grant, token } = await prepared()
    await apply(grant)
    for (let hour = 1; hour < 72; hour++) {
      portal.world.passSeconds(3_600)
      const address = `198.51.100.${hour}`
      await portal.inject(forgotPassword, { body: { personalEmail }, address })
    }
    expect(await reset(token)).toBe(200)
  })

  test('expires its link after 72 hours', async () => {
    const { grant, token } = await prepared()
    await apply(grant)
    portal.world.passSeconds(72 * 3_600)
    expect(await reset(token)).toBe(400)
  })

  test('changes the account once, however often it is applied', async () => {
    const { grant, token } = await prepared()
    await apply(grant)
    expect(await reset(token)).toBe(200)
    const before = (await portal.recorded()).length
    expect(await apply(grant)).toMatchObject({ ok: true })
    expect(await portal.recorded()).toHaveLength(before)
    expect(await logInStatus(chosen)).toBe(200)
  })

  test.each(['UserRoleChanged', 'PasswordResetRequested'])(
    'is completed after a crash following %s',
    async (lastType) => {
      const { grant, token } = await prepared()
      const { eventStore } = portal.parts
      const crashing = {
        read: eventStore.read,
        append: async (...call: Parameters<typeof eventStore.append>) => {
          const appended = await eventStore.append(...call)
          if (call[2].some(({ type }) => type === lastType)) throw new Error('the process is gone')
          return appended
        },
      }
      await expect(applyAdminGrant(crashing, grant, now())).rejects.toThrow('the process is gone')
      expect(await apply(grant)).toMatchObject({ ok: true })
      const recorded = (await portal.recorded()).map(({ type }) => type)
      for (const type of ['UserRoleChanged', 'PasswordResetRequested', 'AdminMade'])
        expect(recorded.filter((one) => one === type)).toHaveLength(1)
      expect(await reset(token)).toBe(200)
    },
  )

  test('does not make an erased user an admin', async () => {
    const { grant } = await prepared()
    const { user } = await portal.logIn()
    await portal.parts.auth.eraseUser(user._id)
    expect(await apply(grant)).toEqual({ ok: false, error: 'no-such-user' })
    expect(await prepare()).toEqual({ ok: false, error: 'erased' })
    portal.world.passSeconds(30)
    await portal.register()
    expect(await prepare()).toMatchObject({ ok: true })
  })
})

test('a grant for an unknown address creates an account and contains no personal data', async () => {
  const { grant, token } = await prepared()
  expect(JSON.stringify(grant)).not.toMatch(/asha|example\.com/i)
  await apply(grant)
  await until(async () => expect(await reset(token)).toBe(200))
  await until(async () => expect(await logInStatus(chosen)).toBe(200))
  expect((await portal.logIn({ personalEmail, password: chosen })).user).toMatchObject({ role: 'admin', personalEmail })
})

test('a grant does not change an account that was registered after it was prepared', async () => {
  const { grant } = await prepared()
  await portal.register()
  expect(await apply(grant)).toEqual({ ok: false, error: 'address-taken' })
  expect((await portal.logIn()).user.role).toBe('student')
})
