import {
  cancelNotification,
  countAudience,
  countUnread,
  exportRecipients,
  getActivity,
  getAudienceChoices,
  getCampaign,
  getNotification,
  getPushKey,
  listNotifications,
  listPeople,
  listRecentNotifications,
  listRecipients,
  readAllNotifications,
  readNotification,
  recallNotification,
  resendNotification,
  savePushToken,
  sendNotification,
  unreadNotification,
} from '@portal/contracts/notifications/http'
import { discardDraft, getDraft, listDrafts, saveDraft } from '@portal/contracts/notifications/drafts'
import { exportLearners, listLearners } from '@portal/contracts/notifications/learners'
import { exportPeople, findPeople, getPerson } from '@portal/contracts/notifications/people'
import {
  changeScheduledNotification,
  discardScheduledNotification,
  getScheduledNotification,
  listScheduledNotifications,
  sendScheduledNotification,
} from '@portal/contracts/notifications/scheduled-send'
import {
  changeTemplate,
  createTemplate,
  deleteTemplate,
  listTemplates,
  recordTemplateUse,
} from '@portal/contracts/notifications/templates'
import type { AnyRoute } from '@portal/contracts/shared/route'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CallOptions, type Harness, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'

let harness: Harness
let ada: Person
let admin: Person

beforeAll(async () => {
  harness = await startHarness()
  ;({ admin, ada } = await harness.cast())
})
afterAll(() => harness.stop())

const params = { id: notificationIdAt(1) }
const expectRefusals = async (route: AnyRoute, rows: Parameters<Harness['refusals']>[1]) =>
  expect(await harness.refusals(route, rows, { as: ada })).toEqual(rows)

const sessionRoutes: readonly (readonly [route: AnyRoute, call: CallOptions])[] = [
  [savePushToken, { body: { token: 'token' } }],
  [getPushKey, {}],
  [listNotifications, {}],
  [listRecentNotifications, {}],
  [getNotification, { params }],
  [readNotification, { params }],
  [unreadNotification, { params }],
  [countUnread, {}],
  [readAllNotifications, {}],
]
const adminRoutes: readonly (readonly [route: AnyRoute, call: CallOptions])[] = [
  [sendNotification, { body: { userIds: [userIdAt(1)], title: 'x', message: 'y' } }],
  [cancelNotification, { params }],
  [resendNotification, { params }],
  [recallNotification, { params }],
  [getCampaign, { params }],
  [listRecipients, { params }],
  [exportRecipients, { params }],
  [getPerson, { params: { userId: userIdAt(1) } }],
  [countAudience, { body: { audience: { everyone: true } } }],
  [listPeople, { body: { audience: {} } }],
  [findPeople, {}],
  [exportPeople, {}],
  [listLearners, { params }],
  [exportLearners, { params }],
  [getAudienceChoices, {}],
  [getActivity, {}],
  [listDrafts, {}],
  [getDraft, { params }],
  [saveDraft, { params, body: { kind: 'message', title: '', content: '{}', version: 0 } }],
  [discardDraft, { params }],
  [listTemplates, {}],
  [createTemplate, { body: { name: 'n', title: 'x', message: 'y' } }],
  [changeTemplate, { params, body: { name: 'n', title: 'x', message: 'y', version: 1 } }],
  [deleteTemplate, { params }],
  [recordTemplateUse, { params }],
  [listScheduledNotifications, {}],
  [getScheduledNotification, { params }],
  [
    changeScheduledNotification,
    { params, body: { userIds: [userIdAt(1)], title: 'x', message: 'y', sendAt: '2030-01-01T00:00:00Z', version: 1 } },
  ],
  [sendScheduledNotification, { params }],
  [discardScheduledNotification, { params }],
]

it('[F-14 G-45] without a session every call is rejected, and the calls of admins for any other role', async () => {
  const loggedOut = '401 Please log in to continue'
  const asked = [
    ...[...sessionRoutes, ...adminRoutes].map(([route, call]) => [route, call, loggedOut] as const),
    ...adminRoutes.map(([route, call]) => [route, { ...call, as: ada }, '403'] as const),
    ...adminRoutes.map(
      ([route, call]) => [route, { ...call, as: { ...ada, role: 'faculty' as const } }, '403'] as const,
    ),
  ]
  const end = await harness.context.eventStore.end()
  const answers: unknown[] = []
  for (const [route, call] of asked) {
    const { statusCode, json } = await harness.inject(route, call)
    answers.push([route.path, call.as?.role, statusCode === 401 ? `401 ${json().message}` : `${statusCode}`])
  }
  expect(answers).toEqual(asked.map(([{ path }, call, refusal]) => [path, call.as?.role, refusal]))
  expect(await harness.context.eventStore.end()).toBe(end)
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
  it('that are no positive whole numbers, or too large, are refused', async () => {
    for (const [route, as] of [
      [listNotifications, ada],
      [listRecentNotifications, ada],
      [findPeople, admin],
    ] as const) {
      await expectRefusals(
        route,
        wrong.map(([query, message]) => [{ query, as }, message]),
      )
    }
  })

  it('beyond the end are empty', async () => {
    const page = await harness.call(listNotifications, { as: ada, query: { page: 1_000_000, limit: 100 } })
    expect(page.notifications).toEqual([])
  })
})

it('an id must be one; capitals are accepted', async () => {
  const wrong = ['1', 'undefined', "' OR 1=1", '../admin', '%00', 'a'.repeat(90), '0190-000']
  for (const route of [getNotification, readNotification]) {
    await expectRefusals(
      route,
      wrong.map((id) => [{ params: { id } }, 'The id is not valid']),
    )
    const response = await harness.inject(route, { as: ada, params: { id: params.id.toUpperCase() } })
    expect(response.json()).toMatchObject({ message: 'Notification not found' })
  }
})

it('push tokens that are not valid are refused, and nothing is recorded', async () => {
  const end = await harness.context.eventStore.end()
  await expectRefusals(savePushToken, [
    [{ body: {} }, 'token is required'],
    [{}, 'token is required'],
    [{ body: { token: ' ' } }, 'token is required'],
    [{ body: { token: 7 } }, 'token is required'],
    [{ body: { token: 'x'.repeat(4_097) } }, 'token must be at most 4096 characters'],
    [{ body: { token: 'a\u001b[2J' } }, 'token must not contain control characters'],
    [{ body: { token: 'webpush:' } }, 'token is not a usable push subscription'],
    [{ body: { token: 'webpush:e30' } }, 'token is not a usable push subscription'],
    [{ body: ['token'] }, 'The request body must be a JSON object'],
  ])
  expect(await harness.context.eventStore.end()).toBe(end)
})
