import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Harness, startHarness } from '@portal/auth/testing/harness'
import { createFindSeeded } from './find-seeded.ts'
import { seededEmail } from './seed-learners.ts'

let portal: Harness
beforeEach(async () => {
  portal = await startHarness()
})
afterEach(() => portal.stop())

const find = (emails: readonly string[], role: 'student' | 'faculty' = 'student') =>
  createFindSeeded(portal.parts)(emails, role)

test('finds whose the addresses are, in their order, without those that are nobody’s', async () => {
  await portal.parts.auth.seedLearners({ count: 3, password: 'Learner-2026' })
  const [first, third] = await find([seededEmail(1), 'nobody@example.com', seededEmail(3)])
  expect(first).toBeDefined()
  expect(await find([seededEmail(3), seededEmail(1)])).toEqual([third, first])
})

test('passes over accounts of another role and deleted ones', async () => {
  await portal.parts.auth.seedLearners({ count: 2, password: 'Learner-2026' })
  const [gone, there] = await find([seededEmail(1), seededEmail(2)])
  if (gone === undefined) throw new Error('there are two')
  await portal.parts.auth.eraseUser(gone)
  expect(await find([seededEmail(1), seededEmail(2)])).toEqual([there])
  expect(await find([seededEmail(2)], 'faculty')).toEqual([])
})
