import { changePassword, listUsers, logIn } from '@portal/contracts/auth/http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'
import { FirstAdminError } from './ensure-first-admin.ts'

let portal: Harness
beforeEach(async () => {
  portal = await startHarness({ runs: false })
})
afterEach(() => portal.stop())

const ensure = (options = {}) => portal.parts.auth.ensureFirstAdmin(options)
const ensured = async (options = {}) => {
  const admin = await ensure(options)
  if (!admin) throw new Error('nobody was made an admin')
  return admin
}
const logInAs = ({ email, password }: { email: string; password: string }) =>
  portal.inject(logIn, { body: { personalEmail: email, password } })
/** Logs in once all that was recorded can be read, as it can be after a start. */
const logInAfterRestart = async (admin: { email: string; password: string }) => {
  await portal.restart({})
  return logIn.response.parse((await logInAs(admin)).json()).data
}

test('a new portal gets an admin with a generated password', async () => {
  const admin = await ensured()
  expect(admin).toMatchObject({ email: 'admin@example.com', isPasswordGenerated: true })
  const { user, token } = await logInAfterRestart(admin)
  expect(user).toMatchObject({ role: 'admin', fullName: 'Admin', personalEmail: 'admin@example.com', studentCode: '' })
  expect((await portal.call(listUsers, { token })).users).toHaveLength(1)
})

test('a new portal gets an admin with the configured address and password', async () => {
  const admin = await ensured({ email: 'Root@Example.com', password: 'Monsoon-2026' })
  expect(admin).toMatchObject({ email: 'root@example.com', password: 'Monsoon-2026', isPasswordGenerated: false })
  expect((await logInAfterRestart(admin)).user.role).toBe('admin')
})

test('the address of the first admin is recorded in its one form, so that no other account can have it', async () => {
  const admin = await ensured({ email: 'Root\u200B@Exämple.com', password: 'Monsoon-2026' })
  expect(admin.email).toBe('root@xn--exmple-cua.com')
})

test('[O17] rejects a password that breaks the rules, and ignores it once there is an admin', async () => {
  await expect(ensure({ password: 'short' })).rejects.toThrow(/^ADMIN_PASSWORD must be a password of at least 8/)
  expect(await portal.recorded()).toEqual([])
  const admin = await ensured()
  await admin.recordShown()
  expect(await ensure({ password: 'short' })).toBeUndefined()
})

test('rejects a guessable password', async () => {
  const ensureWith = (password: string) => ensure({ email: 'rootadmin@example.com', password })
  await expect(ensureWith('Password1!')).rejects.toThrow(
    new FirstAdminError('ADMIN_PASSWORD is too common; choose one that is harder to guess'),
  )
  await expect(ensureWith('Rootadmin-2026')).rejects.toThrow(
    new FirstAdminError('ADMIN_PASSWORD is too close to ADMIN_EMAIL or the name of the portal; choose another one'),
  )
  expect(await portal.recorded()).toEqual([])
})

test('does nothing once the password was shown, whatever the settings', async () => {
  const admin = await ensured()
  await admin.recordShown()
  await admin.recordShown()
  await logInAfterRestart(admin)
  const before = await portal.recorded()
  expect(await ensure()).toBeUndefined()
  expect(await ensure({ email: 'other@example.com', password: 'Monsoon-2026' })).toBeUndefined()
  await portal.restart()
  expect(await ensure()).toBeUndefined()
  expect(before).toEqual((await portal.recorded()).slice(0, before.length))
  expect((await logInAs(admin)).statusCode).toBe(200)
})

test('replaces a password that was never shown at the next start', async () => {
  const lost = await ensured({ email: 'root@example.com' })
  await portal.restart()
  const admin = await ensured({ email: 'other@example.com' })
  expect(admin.email).toBe('root@example.com')
  expect(admin.password).not.toBe(lost.password)
  await admin.recordShown()
  const { token } = await logInAfterRestart(admin)
  expect((await logInAs(lost)).statusCode).toBe(401)
  expect((await portal.call(listUsers, { token })).users).toHaveLength(1)
})

test('one of several concurrent processes creates the admin', async () => {
  const made = (await Promise.all(Array.from({ length: 5 }, () => ensure()))).filter((admin) => admin !== undefined)
  expect(made).toHaveLength(1)
  const [admin] = made
  if (!admin) throw new Error('nobody was made an admin')
  const { token } = await logInAfterRestart(admin)
  expect((await portal.call(listUsers, { token })).users).toHaveLength(1)
})

test.each(['FirstAdminChosen', 'RegistrationInitiated', 'RegistrationCompleted', 'UserRegistered'])(
  'a crash right after %s leaves a portal that the next start completes',
  async (lastType) => {
    const { eventStore } = portal.parts
    const append = eventStore.append.bind(eventStore)
    const crash = new Error('the process is gone')
    let isGone = false
    Object.assign(eventStore, {
      append: async (...call: Parameters<typeof append>) => {
        if (isGone) throw crash
        const appended = await append(...call)
        isGone = call[2].some(({ type }) => type === lastType)
        return appended
      },
    })
    const first = await ensure({ email: 'root@example.com' }).catch((error: unknown) => error)
    // The last append that is needed may succeed; its answer is then lost all the same.
    expect([crash, expect.objectContaining({ email: 'root@example.com' })]).toContainEqual(first)
    expect(isGone).toBe(true)

    await portal.restart({})
    const admin = await ensured()
    await admin.recordShown()
    expect(admin.email).toBe('root@example.com')
    const { token } = await logInAfterRestart(admin)
    expect((await portal.call(listUsers, { token })).users).toMatchObject([{ role: 'admin' }])
  },
)

describe('a temporary first password', () => {
  const hours = 60 * 60
  const setUp = async () => {
    const admin = await ensured({ isPasswordTemporary: true, password: 'Monsoon-2026' })
    await admin.recordShown()
    await portal.restart({})
    return admin
  }

  test('works for 72 hours, and only the right password gets the expiry error', async () => {
    const admin = await setUp()
    portal.world.passSeconds(72 * hours - 1)
    expect((await logInAs(admin)).statusCode).toBe(200)
    portal.world.passSeconds(1)
    const refused = await logInAs(admin)
    expect(refused.statusCode).toBe(401)
    expect(refused.json()).toMatchObject({
      code: 'unauthenticated',
      message: expect.stringMatching(/^The first password has expired/),
    })
    expect((await logInAs({ ...admin, password: 'wrong' })).json()).toMatchObject({ message: 'Invalid credentials' })
  })

  test('can be replaced before or after its expiry', async () => {
    const admin = await setUp()
    const { token } = logIn.response.parse((await logInAs(admin)).json()).data
    const newPassword = 'Haystack-2026'
    await portal.call(changePassword, { token, body: { currentPassword: admin.password, newPassword } })
    portal.world.passSeconds(1_000 * hours)
    expect((await logInAs({ ...admin, password: newPassword })).statusCode).toBe(200)
  })

  test('does not expire in development', async () => {
    const admin = await ensured()
    await admin.recordShown()
    await portal.restart({})
    portal.world.passSeconds(1_000 * hours)
    expect((await logInAs(admin)).statusCode).toBe(200)
  })
})

test('rejects the address of a learner', async () => {
  await portal.restart({}) // a registration waits until it has been projected
  await portal.register()
  const attempt = ensure({ email: applicant.personalEmail })
  await expect(attempt).rejects.toThrow(FirstAdminError)
  await expect(attempt).rejects.toThrow(/^ADMIN_EMAIL is the address of an account/)
  const admin = await ensured({ email: 'root@example.com' })
  expect((await logInAfterRestart(admin)).user.role).toBe('admin')
})
