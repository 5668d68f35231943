import { logIn } from '@portal/contracts/auth/http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { applicant, type Harness, startHarness } from '@portal/auth/testing/harness'

let portal: Harness
beforeEach(async () => {
  portal = await startHarness()
})
afterEach(() => portal.stop())

const teacher = { email: 'Meera.Nair@example.com', fullName: 'Meera Nair', password: 'Lecture-2026' }
const personalEmail = 'meera.nair@example.com'
const seed = (changes: Partial<typeof teacher> = {}) => portal.parts.auth.seedFaculty({ ...teacher, ...changes })
/** Once all that was recorded can be read. */
const logInAfterRestart = async (password: string) => {
  await portal.restart()
  return portal.inject(logIn, { body: { personalEmail, password } })
}

test('a member of the faculty logs in as such', async () => {
  expect(await seed()).toBe('created')
  const answer = await logInAfterRestart(teacher.password)
  expect(logIn.response.parse(answer.json()).data.user).toMatchObject({
    fullName: 'Meera Nair',
    personalEmail,
    role: 'faculty',
    studentCode: '',
  })
})

test('again, with the same password, changes nothing; with another one, it counts', async () => {
  await seed()
  const before = await portal.recorded()
  expect(await seed()).toBe('existing')
  expect(await portal.recorded()).toEqual(before)
  expect(await seed({ password: 'Seminar-2026' })).toBe('existing')
  expect((await logInAfterRestart('Seminar-2026')).statusCode).toBe(200)
  expect((await logInAfterRestart(teacher.password)).statusCode).toBe(401)
})

test("a learner's account is left alone", async () => {
  await portal.register({ ...applicant, personalEmail })
  expect(await seed()).toBe('address-taken')
  expect((await portal.logIn({ ...applicant, personalEmail })).user.role).toBe('student')
})
