import {
  countUnread,
  getNotification,
  listNotifications,
  listRecentNotifications,
  readAllNotifications,
  readNotification,
  savePushToken,
  sendNotification,
} from '@portal/contracts/notifications/http'
import type { AnyRoute } from '@portal/contracts/shared/route'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CallOptions, type Harness, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { notificationIdAt } from '@portal/notifications/testing/samples'

let harness: Harness
let ada: Person

beforeAll(async () => {
  harness = await startHarness()
  const [, student] = await harness.people(1)
  if (!student) throw new Error('test user missing')
  ada = student
})
afterAll(() => harness.stop())

const params = { id: notificationIdAt(1) }
const calls: readonly (readonly [name: string, route: AnyRoute, call: CallOptions])[] = [
  ['save a token', savePushToken, { body: { token: 'token' } }],
  ['list', listNotifications, {}],
  ['list recent', listRecentNotifications, {}],
  ['get', getNotification, { params }],
  ['read', readNotification, { params }],
  ['count', countUnread, {}],
  ['read all', readAllNotifications, {}],
  ['send', sendNotification, { body: { userIds: [], title: 'x', message: 'y' } }],
]

describe('without a session', () => {
  it.each(calls)('[F-14] rejects %s', async (_name, route, call) => {
    const response = await harness.inject(route, call)
    expect(response.statusCode).toBe(401)
    expect(response.json()).toMatchObject({ success: false, message: 'Please log in to continue' })
  })
})

describe('pages', () => {
  const wholeNumber = (name: string, max: number) => `${name} must be a whole number from 1 to ${max}`
  const wrong: readonly (readonly [query: Readonly<Record<string, string>>, message: string])[] = [
    [{ page: '0' }, wholeNumber('page', 1_000_000)],
    [{ page: '-1' }, wholeNumber('page', 1_000_000)],
    [{ page: '1.5' }, wholeNumber('page', 1_000_000)],
    [{ page: 'two' }, wholeNumber('page', 1_000_000)],
    [{ page: '1000001' }, wholeNumber('page', 1_000_000)],
    [{ page: '1e999' }, wholeNumber('page', 1_000_000)],
    [{ limit: '0' }, wholeNumber('limit', 100)],
    [{ limit: '101' }, wholeNumber('limit', 100)],
    [{ limit: "10'; DROP TABLE entries" }, wholeNumber('limit', 100)],
    [{ limit: '' }, wholeNumber('limit', 100)],
  ]
  for (const route of [listNotifications, listRecentNotifications]) {
    it.each(wrong)(`of ${route.path}: %j is refused`, async (query, message) => {
      const response = await harness.inject(route, { as: ada, query })
      expect(response.statusCode).toBe(400)
      expect(response.json()).toMatchObject({ success: false, code: 'invalid', message })
    })
  }

  it('beyond the end are empty', async () => {
    const page = await harness.call(listNotifications, { as: ada, query: { page: 1_000_000, limit: 100 } })
    expect(page.notifications).toEqual([])
  })
})

describe('ids', () => {
  const wrong = ['1', 'undefined', "' OR 1=1", '../admin', '%00', 'a'.repeat(90), '0190-000']
  for (const route of [getNotification, readNotification]) {
    it.each(wrong)(`${route.method} ${route.path} with %j is refused`, async (id) => {
      const response = await harness.inject(route, { as: ada, params: { id } })
      expect(response.statusCode).toBe(400)
      expect(response.json()).toMatchObject({ success: false, message: 'The id is not valid' })
    })

    it(`${route.method} ${route.path} takes an id in capitals`, async () => {
      const response = await harness.inject(route, { as: ada, params: { id: params.id.toUpperCase() } })
      expect(response.json()).toMatchObject({ message: 'Notification not found' })
    })
  }
})

describe('push tokens', () => {
  const wrong: readonly (readonly [name: string, body: unknown, message: string])[] = [
    ['none', {}, 'token is required'],
    ['no body', undefined, 'token is required'],
    ['an empty one', { token: ' ' }, 'token is required'],
    ['a number', { token: 7 }, 'token is required'],
    ['one that is too long', { token: 'x'.repeat(4_097) }, 'token must be at most 4096 characters'],
    [
      'one with a line feed in a control sequence',
      { token: 'a\u001b[2J' },
      'token must not contain control characters',
    ],
    ['a list', ['token'], 'The request body must be a JSON object'],
  ]
  it.each(wrong)('%s: refused', async (_name, body, message) => {
    const end = await harness.context.eventStore.end()
    const response = await harness.inject(savePushToken, { as: ada, body })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ success: false, code: 'invalid', message })
    expect(await harness.context.eventStore.end()).toBe(end)
  })
})
