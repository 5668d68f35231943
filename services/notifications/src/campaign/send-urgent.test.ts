import { randomUUID } from 'node:crypto'
import { holdNotification, sendHeldNotification } from '@portal/contracts/notifications/held-send'
import {
  getCampaign,
  listNotifications,
  listRecentNotifications,
  sendNotification,
} from '@portal/contracts/notifications/http'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { campaignDecider } from './decider.ts'

let portal: Harness
let admin: Person
let ada: Person

beforeAll(async () => {
  portal = await startHarness({ delivers: false })
  ;({ admin, ada } = await portal.cast())
})
afterAll(() => portal.stop())

const bodyOf = (more: object = {}) => ({
  userIds: [ada.userId],
  title: 'Exam',
  message: 'Moved',
  type: 'Exam',
  ...more,
})
const keyed = (route: typeof sendNotification | typeof holdNotification, more: object, key: string = randomUUID()) =>
  portal.inject(route, { as: admin, body: bodyOf(more), headers: { 'idempotency-key': key } })
const idOf = (answer: { json(): unknown }) =>
  sendNotification.response.pick({ notificationId: true }).parse(answer.json()).notificationId

/** The texts in the events of a campaign, as recorded. */
const recordedTexts = async (id: string) => {
  const texts: unknown[] = []
  for await (const { data } of portal.context.eventStore.read(`${campaignDecider.category}-${id}`))
    if (typeof data === 'object' && data !== null && 'text' in data) texts.push(data.text)
  return texts
}
const markOf = (id: string) =>
  portal.context.securityLog.events.find(({ event, target }) => event === 'notification-sent' && target === id)?.code

it('an urgent send says so in the log, the history and the security log, and not to learners', async () => {
  const id = idOf(await keyed(sendNotification, { isUrgent: true }))
  for (const text of await recordedTexts(id)) expect(text).toMatchObject({ isUrgent: true })
  const { notifications } = await portal.call(listRecentNotifications, { as: admin })
  expect(notifications[0]).toMatchObject({ _id: id, isUrgent: true })
  expect((await portal.call(getCampaign, { as: admin, params: { id } })).campaign.isUrgent).toBe(true)
  expect((await portal.call(listNotifications, { as: ada })).notifications[0]).not.toHaveProperty('isUrgent')
  expect(markOf(id)).toBe('urgent')
})

it('an urgent send stays so while it is held', async () => {
  const id = idOf(await keyed(holdNotification, { isUrgent: true }))
  expect(markOf(id)).toBe('urgent')
  await portal.call(sendHeldNotification, { as: admin, params: { id } })
  const texts = await recordedTexts(id)
  expect(texts).toHaveLength(3)
  for (const text of texts) expect(text).toMatchObject({ isUrgent: true })
})

it.each([{}, { isUrgent: false }])('another send (%o) is recorded as by earlier releases', async (more) => {
  const id = idOf(await keyed(sendNotification, more))
  for (const text of await recordedTexts(id))
    expect(text).toEqual({ notificationId: id, title: 'Exam', message: 'Moved', type: 'Exam' })
  expect(markOf(id)).toBeUndefined()
  const { campaign } = await portal.call(getCampaign, { as: admin, params: { id } })
  expect(campaign).not.toHaveProperty('isUrgent')
})

it('with an Idempotency-Key, urgent is another request, and not urgent is the same as without a word', async () => {
  const key = randomUUID()
  const first = await keyed(sendNotification, {}, key)
  expect((await keyed(sendNotification, { isUrgent: false }, key)).body).toBe(first.body)
  expect((await keyed(sendNotification, { isUrgent: true }, key)).statusCode).toBe(409)
})

it('anything but true or false is rejected', async () => {
  const answer = await keyed(sendNotification, { isUrgent: 'yes' })
  expect([answer.statusCode, answer.json()]).toMatchObject([
    400,
    { errors: { isUrgent: 'Urgent must be true or false' } },
  ])
})
