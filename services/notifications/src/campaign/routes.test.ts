import { randomUUID } from 'node:crypto'
import { listAudit } from '@portal/contracts/notifications/audit'
import {
  cancelNotification,
  countAudience,
  countUnread,
  exportRecipients,
  getActivity,
  getCampaign,
  listNotifications,
  listPeople,
  listRecentNotifications,
  listRecipients,
  resendNotification,
  sendNotification,
} from '@portal/contracts/notifications/http'
import type { ApiKeyRight } from '@portal/contracts/auth/api-key-rights'
import type { AnyRoute } from '@portal/contracts/shared/route'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import { apiKeyOf, type Person } from '@portal/notifications/testing/people'
import { userIdAt } from '@portal/notifications/testing/samples'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SeenCounter } from '../seen-reports.ts'
import { apiErrorOf } from './routes.ts'

let harness: Harness
let admin: Person
let ada: Person
let ben: Person

type SeenRequest = { readonly notificationId: NotificationId; readonly userIds: readonly UserId[] | undefined }

/** A configurable number of open devices, and the requests for it. */
const devices: { open: number | Error; requests: SeenRequest[] } = { open: 0, requests: [] }
const seenCounter: SeenCounter = {
  wait: async (notificationId, userIds) => {
    devices.requests.push({ notificationId, userIds })
    if (devices.open instanceof Error) throw devices.open
    return devices.open
  },
}

beforeAll(async () => {
  harness = await startHarness({ seenCounter })
})
afterAll(() => harness.stop())

beforeEach(async () => {
  devices.open = 0
  devices.requests = []
  ;({ admin, ada, ben } = await harness.cast())
})

const sampleBody = () => ({ userIds: [ada.userId, ben.userId], title: 'Fees', message: 'Are due', type: 'Exam' })

const logLength = async (): Promise<string> => harness.context.eventStore.end()

describe('an API key', () => {
  const withKey = (right: ApiKeyRight) => ({ headers: { authorization: `Bearer ${apiKeyOf(admin, right)}` } })

  it("sends in the admin's name, and the history says that a program did it", async () => {
    const [send, read] = [withKey('send'), withKey('read-results')]
    const { targeted } = await harness
      .call(countAudience, { ...send, body: { audience: { everyone: true } } })
      .then(({ count }) => ({ targeted: count }))
    expect(targeted).toBeGreaterThan(1)
    const { notificationId } = await harness.call(sendNotification, { ...send, body: sampleBody() })
    await harness.untilProjected()
    const { actions } = await harness.call(getCampaign, { ...read, params: { id: notificationId } })
    expect(actions).toMatchObject([
      { kind: 'sent', by: { userId: admin.userId }, apiKeyId: '01980000-0000-7000-8000-00000000000f' },
    ])
    const { notifications } = await harness.call(listRecentNotifications, read)
    expect(notifications[0]).toMatchObject({ _id: notificationId, sentBy: { userId: admin.userId } })
    expect((await harness.call(listRecipients, { ...read, params: { id: notificationId } })).recipients).toHaveLength(2)
    expect((await harness.call(getActivity, read)).days).not.toEqual([])
    const { rows } = await harness.call(listAudit, { as: admin })
    expect(rows[0]?.says).toMatch(/ sent the notification “Fees” to 2 people with an API key$/)
  })

  it('has one right or both, and none to list people or to change what was sent', async () => {
    const status = async (route: AnyRoute, right: ApiKeyRight) =>
      (await harness.inject(route, { ...withKey(right), params: { id: userIdAt(1), userId: userIdAt(1) } })).statusCode
    for (const route of [listPeople, cancelNotification, resendNotification, exportRecipients, listNotifications])
      expect([await status(route, 'send'), await status(route, 'read-results')]).toEqual([403, 403])
    expect([await status(sendNotification, 'read-results'), await status(getActivity, 'send')]).toEqual([403, 403])
  })

  it('sends 60 times a minute, also if the sends are rejected or repeated', async () => {
    const statuses = new Set<number>()
    const body = { ...sampleBody(), userIds: [userIdAt(999)] }
    for (let n = 0; n < 60; n++)
      statuses.add((await harness.inject(sendNotification, { ...withKey('send'), body })).statusCode)
    const refused = await harness.inject(sendNotification, { ...withKey('send'), body: sampleBody() })
    expect([refused.statusCode, refused.json()]).toMatchObject([
      429,
      {
        message: 'This API key has sent 60 notifications in a minute. Please try again in a moment.',
      },
    ])
    expect(statuses).toContain(400)
    await harness.call(sendNotification, { as: admin, body: sampleBody() })
  })
})

describe('a campaign', () => {
  it("[C-9 C-13] arrives in each recipient's inbox, and the response has the number of open devices that showed it", async () => {
    devices.open = 3
    const answer = await harness.call(sendNotification, { as: admin, body: sampleBody() })
    expect(answer).toEqual({
      success: true,
      message: 'Notification sent successfully to 3 devices',
      notificationId: answer.notificationId,
      successCount: 3,
      targeted: 2,
    })
    expect(devices.requests).toEqual([{ notificationId: answer.notificationId, userIds: [ada.userId, ben.userId] }])
    for (const person of [ada, ben]) {
      const { notifications } = await harness.call(listNotifications, { as: person })
      expect(notifications).toMatchObject([{ _id: answer.notificationId, title: 'Fees', type: 'Exam' }])
    }
    expect(await harness.call(countUnread, { as: admin })).toMatchObject({ count: 0 })
    const sender = { userId: admin.userId, role: 'admin' }
    expect(harness.context.securityLog.events).toContainEqual(
      expect.objectContaining({ event: 'notification-sent', result: 'ok', target: answer.notificationId, ...sender }),
    )
    expect(harness.context.securityLog.text()).not.toContain('Are due')
  })

  it('is in the history with its progress when the response is sent', async () => {
    const { notificationId } = await harness.call(sendNotification, { as: admin, body: sampleBody() })
    const { notifications } = await harness.call(listRecentNotifications, { as: admin })
    expect(notifications[0]).toMatchObject({
      _id: notificationId,
      title: 'Fees',
      isRead: false,
      progress: { notificationId, targeted: 2, pending: 2, live: 0, pushed: 0, skipped: 0, failed: 0, read: 0 },
    })
  })

  it('[N-16] has its position in the paged history, newest first', async () => {
    for (const title of ['One', 'Two', 'Three'])
      await harness.call(sendNotification, { as: admin, body: { ...sampleBody(), title } })
    const page = (number: number) =>
      harness.call(listRecentNotifications, { as: admin, query: { page: number, limit: 2 } })
    const first = await page(1)
    const { total } = first.pagination
    expect(first.pagination).toEqual({ page: 1, limit: 2, total, totalPages: Math.ceil(total / 2) })
    expect(first.notifications.map(({ title, seq }) => [title, seq])).toEqual([
      ['Three', total],
      ['Two', total - 1],
    ])
    expect((await page(2)).notifications[0]).toMatchObject({ title: 'One', seq: total - 2 })
    expect((await page(total)).notifications).toEqual([])
  })

  it('is sent twice for two requests with the same text', async () => {
    await harness.call(sendNotification, { as: admin, body: sampleBody() })
    await harness.call(sendNotification, { as: admin, body: sampleBody() })
    expect(await harness.call(countUnread, { as: ada })).toMatchObject({ count: 2 })
  })
})

it('a recorded campaign succeeds although the seen count is unavailable', async () => {
  devices.open = new Error('no gateway responds')
  for (const headers of [{}, { 'idempotency-key': 'a-key' }]) {
    const response = await harness.inject(sendNotification, { as: admin, body: sampleBody(), headers })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({ successCount: 0, targeted: 2 })
  }
})

describe('a rejected campaign', () => {
  it('[C-6 C-7 C-8] has no recipients, unknown ones, or a text that is not valid, and records nothing', async () => {
    const rows: [change: object, message: string][] = [
      [{ userIds: [] }, 'Please select at least one user'],
      [{ userIds: 'all' }, 'Please select at least one user'],
      [{ userIds: undefined }, 'Please select at least one user'],
      [{ userIds: ['ada'] }, 'The id is not valid'],
      [{ userIds: [ada.userId, ada.userId] }, 'Some users are selected more than once'],
      [{ userIds: [ada.userId, userIdAt(77)] }, 'Some selected users do not exist or are deactivated'],
      [
        { userIds: Array.from({ length: 10_001 }, (_, n) => userIdAt(n)) },
        'A notification can go to at most 10000 users at once',
      ],
      [{ title: undefined }, 'Please enter a notification title'],
      [{ title: ' \n' }, 'Please enter a notification title'],
      [{ title: { $gt: '' } }, 'Please enter a notification title'],
      [{ title: 'x'.repeat(201) }, 'Title must be at most 200 characters'],
      [{ title: 'a\u0000b' }, 'Title must not contain control characters'],
      [{ message: '  ' }, 'Please enter a notification message'],
      [{ message: 'x'.repeat(5_001) }, 'Message must be at most 5000 characters'],
      [{ type: 'Party' }, 'Please choose a notification type'],
    ]
    const end = await logLength()
    const calls = rows.map(([change, message]) => [{ body: { ...sampleBody(), ...change } }, message] as const)
    expect(await harness.refusals(sendNotification, calls, { as: admin })).toEqual(calls)
    expect(await logLength()).toBe(end)
  })

  it('has a recipient whose account is deactivated or was erased', async () => {
    const { userId } = ben
    const events = [
      { type: 'UserDeactivated', data: { userId } },
      { type: 'UserErased', data: { userId, emailIndex: 'index' } },
    ] as const
    for (const event of events) {
      await harness.record(ben, event)
      const response = await harness.inject(sendNotification, { as: admin, body: sampleBody() })
      expect(response.json()).toMatchObject({
        message: 'Some selected users do not exist or are deactivated',
        errors: { userIds: userId },
      })
    }
    expect(await harness.call(countUnread, { as: ada })).toMatchObject({ count: 0 })
  })
})

describe('with an Idempotency-Key', () => {
  let key: string
  beforeEach(() => {
    key = randomUUID()
  })
  const keyed = (usedKey: string, body: object, as = admin) =>
    harness.inject(sendNotification, { as, body, headers: { 'idempotency-key': usedKey } })

  it('the same request returns the same response and is sent once, also after a restart', async () => {
    devices.open = 2
    const first = await keyed(key, sampleBody())
    devices.open = 0
    const second = await keyed(key, sampleBody())
    expect(second.body).toBe(first.body)
    expect(second.json()).toMatchObject({ successCount: 2, targeted: 2 })
    await harness.restart()
    expect((await keyed(key, sampleBody())).body).toBe(first.body)
    expect(await harness.call(countUnread, { as: ada })).toMatchObject({ count: 1 })
  })

  it('concurrent requests are sent once and return the same response', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => keyed(key, sampleBody())))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(await harness.call(countUnread, { as: ada })).toMatchObject({ count: 1 })
  })

  it('another text or other recipients with the same key are a conflict', async () => {
    await keyed(key, sampleBody())
    const end = await logLength()
    const changes = [{ title: 'Other' }, { message: 'Other' }, { type: 'General' }, { userIds: [ada.userId] }]
    const answers = await Promise.all(changes.map((change) => keyed(key, { ...sampleBody(), ...change })))
    expect(answers.map((answer, n) => [changes[n], answer.statusCode, answer.json().code])).toEqual(
      changes.map((change) => [change, 409, 'conflict']),
    )
    expect(await logLength()).toBe(end)
  })

  it('a rejected request can be corrected with the same key', async () => {
    expect((await keyed(key, { ...sampleBody(), userIds: [userIdAt(77)] })).statusCode).toBe(400)
    expect((await keyed(key, sampleBody())).statusCode).toBe(200)
  })

  it('another admin has separate keys', async () => {
    const other: Person = { ...ben, role: 'admin' }
    const [first, second] = [await keyed(key, sampleBody()), await keyed(key, sampleBody(), other)]
    expect(second.json().notificationId).not.toBe(first.json().notificationId)
  })

  it('a key is 1 to 128 visible ASCII characters', async () => {
    const message = 'Idempotency-Key must be 1 to 128 visible ASCII characters'
    const calls = ['', 'with space', 'ü', 'x'.repeat(129)].map(
      (wrong) => [{ body: sampleBody(), headers: { 'idempotency-key': wrong } }, message] as const,
    )
    expect(await harness.refusals(sendNotification, calls, { as: admin })).toEqual(calls)
  })
})

const ids = (count: number) => Array.from({ length: count }, (_, n) => userIdAt(n))

it('names the first ten of many invalid recipients', () => {
  expect(apiErrorOf({ reason: 'selected-twice', userIds: ids(10) })).toEqual({
    code: 'invalid',
    message: 'Some users are selected more than once',
    errors: { userIds: ids(10).join(', ') },
  })
  expect(apiErrorOf({ reason: 'unknown-users', userIds: ids(12) })).toEqual({
    code: 'invalid',
    message: 'Some selected users do not exist or are deactivated',
    errors: { userIds: `${ids(10).join(', ')} and 2 more` },
  })
})

it('has a message for the other rejections', () => {
  expect(apiErrorOf({ reason: 'none-selected' })).toEqual({
    code: 'invalid',
    message: 'Please select at least one user',
  })
  expect(apiErrorOf({ reason: 'key-used-for-another' })).toEqual({
    code: 'conflict',
    message: 'This Idempotency-Key was used for another notification',
  })
})
