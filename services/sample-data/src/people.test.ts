import { listUsers, logIn } from '@portal/contracts/auth/http'
import { createPasswordHashing } from '@portal/auth/passwords/password-hashing'
import { applicant, type Harness, lowCost, startHarness } from '@portal/auth/testing/harness'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findAccounts } from './accounts.ts'
import { type LearnersRequest, seededEmail, seedFaculty, seedLearners } from './people.ts'

const passwords = createPasswordHashing({ cost: lowCost, niceness: 0, threads: 1 })
afterAll(() => passwords.close())

let portal: Harness
const ports = () => ({ ...portal.parts, clockAndIds: portal.world.clockAndIds, passwords })
const seed = (request: LearnersRequest) => seedLearners(ports(), request)

describe('learners', () => {
  beforeAll(async () => {
    portal = await startHarness({ runs: false })
  })
  afterAll(() => portal.stop())

  const password = 'Learner-2026'
  const logInStatus = async (n: number, typed = password) =>
    (await portal.inject(logIn, { body: { personalEmail: seededEmail(n), password: typed } })).statusCode

  test('have addresses numbered from 1 with at least four digits', () => {
    expect([1, 42, 9_999, 10_000].map(seededEmail)).toEqual([
      'learner-0001@example.com',
      'learner-0042@example.com',
      'learner-9999@example.com',
      'learner-10000@example.com',
    ])
  })

  test('can all log in once the portal runs', async () => {
    const universityNames = ['Northfield', 'Westhill']
    expect(await seed({ count: 300, password, universityNames })).toEqual({ created: 300, existing: 0 })
    const admin = await portal.parts.auth.ensureFirstAdmin()
    await portal.restart({})
    for (const n of [1, 17, 300]) expect(await logInStatus(n)).toBe(200)
    expect(await logInStatus(301)).toBe(401)
    const { user } = await portal.logIn({ personalEmail: seededEmail(17), password })
    expect(user).toMatchObject({ mobileNumber: '9000000017', universityName: 'Westhill', role: 'student' })
    expect(user.fullName).toMatch(/^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+$/u)
    const { token } = await portal.logIn({ personalEmail: admin?.email ?? '', password: admin?.password ?? '' })
    const { users } = await portal.call(listUsers, { token })
    expect(users).toHaveLength(301)
    expect(new Set(users.map(({ _id }) => _id)).size).toBe(301)
  })

  test('are unchanged by a repetition', async () => {
    const before = (await portal.recorded()).filter(({ stream }) => !stream.startsWith('session-'))
    expect(await seed({ count: 300, password })).toEqual({ created: 0, existing: 300 })
    expect((await portal.recorded()).filter(({ stream }) => !stream.startsWith('session-'))).toEqual(before)
  })

  test('all get the new password when more are seeded with another one', async () => {
    const other = 'Afterwards-2026'
    expect(await seed({ count: 310, password: other })).toEqual({ created: 10, existing: 300 })
    await portal.restart({})
    for (const n of [1, 300, 310]) {
      expect(await logInStatus(n, other)).toBe(200)
      expect(await logInStatus(n, password)).toBe(401)
    }
  })

  test('leave no address, number, password or hash in the clear on disk, in events or logs', async () => {
    const recorded = [portal.bytesOnDisk(), JSON.stringify(await portal.recorded())]
    for (const text of recorded) expect(text).toContain('RegistrationCompleted')
    const securityLog = portal.world.securityLog.text()
    expect(securityLog).toContain('"log":"security"')
    for (const text of [...recorded, portal.world.log.join(''), securityLog]) {
      for (const secret of ['learner-0001', '9000000001', password, '$argon2']) expect(text).not.toContain(secret)
    }
  })
})

describe('a member of the faculty', () => {
  beforeEach(async () => {
    portal = await startHarness()
  })
  afterEach(() => portal.stop())

  const teacher = { email: 'Meera.Nair@example.com', fullName: 'Meera Nair', password: 'Lecture-2026' }
  const personalEmail = 'meera.nair@example.com'
  const seedTeacher = (changes: Partial<typeof teacher> = {}) => seedFaculty(ports(), { ...teacher, ...changes })
  /** Logs in once all that was recorded can be read. */
  const logInAfterRestart = async (password: string) => {
    await portal.restart()
    return portal.inject(logIn, { body: { personalEmail, password } })
  }

  test('logs in with the role faculty', async () => {
    expect(await seedTeacher()).toBe('created')
    const answer = await logInAfterRestart(teacher.password)
    expect(logIn.response.parse(answer.json()).data.user).toMatchObject({
      fullName: 'Meera Nair',
      personalEmail,
      role: 'faculty',
      studentCode: '',
    })
  })

  test('is unchanged when seeded again, except for a new password', async () => {
    await seedTeacher()
    const before = await portal.recorded()
    expect(await seedTeacher()).toBe('existing')
    expect(await portal.recorded()).toEqual(before)
    expect(await seedTeacher({ password: 'Seminar-2026' })).toBe('existing')
    expect((await logInAfterRestart('Seminar-2026')).statusCode).toBe(200)
    expect((await logInAfterRestart(teacher.password)).statusCode).toBe(401)
  })

  test('does not replace the account of a learner', async () => {
    await portal.register({ ...applicant, personalEmail })
    expect(await seedTeacher()).toBe('address-taken')
    expect((await portal.logIn({ ...applicant, personalEmail })).user.role).toBe('student')
  })
})

describe('accounts by their addresses', () => {
  beforeEach(async () => {
    portal = await startHarness()
  })
  afterEach(() => portal.stop())

  const find = (emails: readonly string[], role: 'student' | 'faculty' = 'student') =>
    findAccounts(portal.parts, emails, role)

  test('finds whose the addresses are, in their order, without those that are nobody’s', async () => {
    await seed({ count: 3, password: 'Learner-2026' })
    const [first, third] = await find([seededEmail(1), 'nobody@example.com', seededEmail(3)])
    expect(first).toBeDefined()
    expect(await find([seededEmail(3), seededEmail(1)])).toEqual([third, first])
  })

  test('skips accounts of another role and deleted ones', async () => {
    await seed({ count: 2, password: 'Learner-2026' })
    const [gone, there] = await find([seededEmail(1), seededEmail(2)])
    if (gone === undefined) throw new Error('there are two')
    await portal.parts.auth.eraseUser(gone)
    expect(await find([seededEmail(1), seededEmail(2)])).toEqual([there])
    expect(await find([seededEmail(2)], 'faculty')).toEqual([])
  })
})
