import {
  getActivity,
  readAllNotifications,
  readNotification,
  sendNotification,
} from '@portal/contracts/notifications/http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { dateOf, dayAt } from './day.ts'

let harness: Harness
let admin: Person
let ada: Person
let ben: Person

beforeAll(async () => {
  harness = await startHarness()
  const [first, second, third] = await harness.people(2)
  if (!first || !second || !third) throw new Error('somebody is missing')
  ;[admin, ada, ben] = [first, second, third]
})
afterAll(() => harness.stop())

const fetchDays = async (query = {}) => (await harness.call(getActivity, { as: admin, query })).days
/** Of two days, as a midnight may pass between a request and the next. */
const fetchTotals = async () => {
  const [before, now] = await fetchDays({ days: 2 })
  if (!before || !now) throw new Error('there are two days')
  const { sends, delivered, reads } = now
  return { sends: before.sends + sends, delivered: before.delivered + delivered, reads: before.reads + reads }
}
const statusOf = async (call: Parameters<Harness['inject']>[1]) => (await harness.inject(getActivity, call)).statusCode

const send = async (to: readonly Person[]) =>
  harness.call(sendNotification, {
    as: admin,
    body: { userIds: to.map(({ userId }) => userId), title: 'Exam hall', message: 'Room 12 instead of room 9.' },
  })

it('two weeks without anything are fourteen days of nothing, the oldest first', async () => {
  const days = await fetchDays()
  const first = dayAt(new Date(`${days[0]?.date}T00:00:00.000Z`))
  expect(dayAt(new Date()) - first).toBeOneOf([13, 14])
  expect(days).toEqual(
    Array.from({ length: 14 }, (_, n) => ({ date: dateOf(first + n), sends: 0, delivered: 0, reads: 0 })),
  )
})

it('sends, the inboxes that they reached and what was read there count on their day', async () => {
  const { notificationId } = await send([ada, ben])
  await send([ada])
  await send([ada])
  expect(await fetchTotals()).toEqual({ sends: 3, delivered: 4, reads: 0 })

  const params = { id: notificationId }
  await harness.call(readNotification, { as: ada, params })
  await harness.call(readNotification, { as: ada, params })
  expect(await fetchTotals()).toMatchObject({ reads: 1 })

  await harness.call(readAllNotifications, { as: ada })
  await harness.call(readAllNotifications, { as: ada })
  await harness.call(readNotification, { as: ada, params })
  await harness.call(readAllNotifications, { as: ben })
  expect(await fetchTotals()).toEqual({ sends: 3, delivered: 4, reads: 4 })
  expect(await fetchDays({ days: 90 })).toHaveLength(90)
})

it('is for admins only', async () => {
  expect(await statusOf({})).toBe(401)
  expect(await statusOf({ as: ada })).toBe(403)
  expect(await statusOf({ as: { ...ben, role: 'faculty' } })).toBe(403)
})

it.each(['0', '91', '-1', '1.5', 'all', ''])('days=%s is refused in the contract’s words', async (days) => {
  const response = await harness.inject(getActivity, { as: admin, query: { days } })
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({ success: false, message: 'days must be a whole number from 1 to 90' })
})
