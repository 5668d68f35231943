import { getProfile, listUsers, updateProfile } from '@portal/contracts/auth/http'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { signSessionToken } from '@portal/platform/session/session-tokens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'

let portal: Harness
let token: string
let adminToken: string
beforeAll(async () => {
  portal = await startHarness()
  const admin = await portal.parts.auth.ensureFirstAdmin({ email: 'root@example.com' })
  if (!admin) throw new Error('a new portal has no admin')
  await portal.register()
  token = (await portal.logIn()).token
  adminToken = (await portal.logIn({ personalEmail: admin.email, password: admin.password })).token
})
afterAll(() => portal.stop())

const rename = (fullName: unknown) => portal.call(updateProfile, { token, body: { fullName } })

/** A valid token of an unknown user. */
const strangersToken = () =>
  signSessionToken(
    portal.parts.signingKeys,
    {
      sessionId: sessionIdSchema.parse('01980000-0000-7000-8000-00000000000a'),
      userId: userIdSchema.parse('01980000-0000-7000-8000-00000000000b'),
      role: 'student',
      expiresAt: new Date(portal.world.clockAndIds.now().getTime() + 60_000),
    },
    portal.world.clockAndIds.now(),
  )

describe('the own profile', () => {
  test('[X-23] has all entered data', async () => {
    const { user } = await portal.call(getProfile, { token })
    const { password: _password, ...entered } = applicant
    expect(user).toMatchObject({ ...entered, role: 'student', profileImage: '' })
  })

  test('[X-24] shows a new name at once, and after a restart', async () => {
    const answer = await rename('  Asha V. Rao ')
    expect(answer).toMatchObject({ success: true, message: 'Profile updated successfully!' })
    expect(answer.user).toMatchObject({ fullName: 'Asha V. Rao', personalEmail: applicant.personalEmail })
    expect((await portal.call(getProfile, { token })).user).toEqual(answer.user)
    await portal.restart()
    expect((await portal.call(getProfile, { token })).user).toEqual(answer.user)
    expect((await portal.logIn()).user).toEqual(answer.user)
  })

  test('[X-51] has the language of notifications, which clients that do not know it leave as it is', async () => {
    const choose = async (notificationLanguage: unknown) =>
      (await portal.call(updateProfile, { token, body: { fullName: 'Asha', notificationLanguage } })).user
    expect(await choose('en')).not.toHaveProperty('notificationLanguage')
    const before = (await portal.recorded()).length
    await choose('en')
    expect(await portal.recorded()).toHaveLength(before)
    expect(await choose('hi')).toMatchObject({ fullName: 'Asha', notificationLanguage: 'hi' })
    await rename('Asha V. Rao')
    expect((await portal.call(getProfile, { token })).user).toMatchObject({ notificationLanguage: 'hi' })
    expect((await portal.logIn()).user).toMatchObject({ notificationLanguage: 'hi' })
    expect(await choose('en')).not.toHaveProperty('notificationLanguage')
    expect(JSON.stringify(await portal.recorded())).not.toContain('notificationLanguage')
    const body = { fullName: 'Asha', notificationLanguage: 'tlh' }
    expect(await portal.refuse(updateProfile, { token, body })).toMatchObject({
      status: 400,
      errors: { notificationLanguage: 'Please choose a language' },
    })
  })

  test('[X-22] allows changes of the name only', async () => {
    const { user } = await portal.call(getProfile, { token })
    const body = { fullName: 'Asha', role: 'admin', _id: userIdSchema.parse(user._id), personalEmail: 'x@example.com' }
    expect((await portal.call(updateProfile, { token, body })).user).toEqual({ ...user, fullName: 'Asha' })
  })

  test('the same name again records nothing', async () => {
    await rename('Asha Verma')
    const before = (await portal.recorded()).length
    expect((await rename('Asha Verma')).user.fullName).toBe('Asha Verma')
    expect(await portal.recorded()).toHaveLength(before)
  })

  test('changed concurrently by many tabs shows one of their names to all', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `Asha of tab ${n}`)
    await Promise.all(names.map(rename))
    const { fullName } = (await portal.call(getProfile, { token })).user
    expect(names).toContain(fullName)
    const { users } = await portal.call(listUsers, { token: adminToken })
    expect(users.map((user) => user.fullName)).toContain(fullName)
  })

  test('can be changed thirty times an hour', async () => {
    portal.world.passSeconds(3_600)
    for (let n = 0; n < 30; n++) await rename(`Asha ${n}`)
    expect(await portal.refuse(updateProfile, { token, body: { fullName: 'Asha' } })).toMatchObject({
      status: 429,
      code: 'too-many-requests',
      retryAfterSeconds: 3_600,
    })
    portal.world.passSeconds(3_600)
    await rename('Asha Verma')
  })

  test('is found during a rebuild of the read model', async () => {
    await portal.restart({ runs: false, namespace: 'empty' })
    const { user } = await portal.call(getProfile, { token })
    expect(user.personalEmail).toBe(applicant.personalEmail)
    await portal.restart({})
  })

  test('of an unknown user is an ended session', async () => {
    const strangers = await strangersToken()
    expect(await portal.refuse(getProfile, { token: strangers })).toMatchObject({ status: 401 })
    const body = { fullName: 'Nobody' }
    expect(await portal.refuse(updateProfile, { token: strangers, body })).toMatchObject({ status: 401 })
  })
})

describe('the list of users', () => {
  test('[G-42] is for admins', async () => {
    expect(await portal.refuse(listUsers)).toMatchObject({ status: 401 })
    expect(await portal.refuse(listUsers, { token })).toMatchObject({ status: 403 })
  })

  test('[G-26 U-11] has all users by name, and reflects changes', async () => {
    for (const [n, fullName] of ['Zoya', 'émile', 'Emil', 'bhavna'].entries()) {
      const mobileNumber = String(9_100_000_000 + n)
      await portal.register({ ...applicant, fullName, personalEmail: `user-${n}@example.com`, mobileNumber })
    }
    await rename('Chetan')
    const { users } = await portal.call(listUsers, { token: adminToken })
    expect(users.map(({ fullName, role }) => `${fullName} ${role}`)).toEqual([
      'Admin admin',
      'bhavna student',
      'Chetan student',
      'Emil student',
      'émile student',
      'Zoya student',
    ])
    expect(users.find(({ fullName }) => fullName === 'Chetan')?.personalEmail).toBe(applicant.personalEmail)
    await rename('Abha')
    const changed = await portal.call(listUsers, { token: adminToken })
    expect(changed.users[0]?.fullName).toBe('Abha')
    await portal.restart({ namespace: 'rebuilt' })
    expect(await portal.call(listUsers, { token: adminToken })).toEqual(changed)
    await portal.restart({})
  })
})

test('invalid input is rejected, and nothing is recorded', async () => {
  const rows = [
    [{}, 'Name is required'],
    [{ fullName: '  ' }, 'Name is required'],
    [{ fullName: 5 }, 'Name is required'],
    [{ fullName: ['Asha'] }, 'Name is required'],
    [{ fullName: 'x'.repeat(121) }, 'Name must be at most 120 characters'],
    [{ fullName: 'A\u001b[2Jsha' }, 'Name must not contain control characters'],
    ['{"fullName":', 'The request body is not valid JSON'],
    ['[]', 'The request body must be a JSON object'],
  ] as const
  const before = (await portal.recorded()).length
  expect(await portal.refusals(updateProfile, rows, { token })).toEqual(rows)
  expect(await portal.recorded()).toHaveLength(before)
})
