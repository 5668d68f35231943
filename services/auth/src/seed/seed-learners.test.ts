import { listUsers, logIn } from '@portal/contracts/auth/http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from '@portal/auth/testing/harness'
import { seededEmail } from './seed-learners.ts'

let portal: Harness
beforeAll(async () => {
  portal = await startHarness({ runs: false })
})
afterAll(() => portal.stop())

const password = 'Learner-2026'
const logInStatus = async (n: number, typed = password) =>
  (await portal.inject(logIn, { body: { personalEmail: seededEmail(n), password: typed } })).statusCode

test('addresses are numbered from 1, with at least four digits', () => {
  expect([1, 42, 9_999, 10_000].map(seededEmail)).toEqual([
    'learner-0001@example.com',
    'learner-0042@example.com',
    'learner-9999@example.com',
    'learner-10000@example.com',
  ])
})

test('all of them can log in, once the portal runs', async () => {
  const universityNames = ['Northfield', 'Westhill']
  expect(await portal.parts.auth.seedLearners({ count: 300, password, universityNames })).toEqual({
    created: 300,
    existing: 0,
  })
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

test('doing it again changes nothing', async () => {
  const before = (await portal.recorded()).filter(({ stream }) => !stream.startsWith('session-'))
  expect(await portal.parts.auth.seedLearners({ count: 300, password })).toEqual({ created: 0, existing: 300 })
  expect((await portal.recorded()).filter(({ stream }) => !stream.startsWith('session-'))).toEqual(before)
})

test('more of them, with another password, gives all of them that password', async () => {
  const other = 'Afterwards-2026'
  expect(await portal.parts.auth.seedLearners({ count: 310, password: other })).toEqual({ created: 10, existing: 300 })
  await portal.restart({})
  for (const n of [1, 300, 310]) {
    expect(await logInStatus(n, other)).toBe(200)
    expect(await logInStatus(n, password)).toBe(401)
  }
})
