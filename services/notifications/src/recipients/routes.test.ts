import {
  exportRecipients,
  listPeople,
  listRecipients,
  readNotification,
  savePushToken,
  sendNotification,
} from '@portal/contracts/notifications/http'
import { getPerson } from '@portal/contracts/notifications/people'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { type Harness, requestOf, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { enrolledIn, enrollmentOf, programIdAt, savedProgram } from '@portal/notifications/testing/programs'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { streamOf } from '@portal/platform/event-store/stream-name'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { campaignDecider } from '../campaign/decider.ts'

let portal: Harness
let admin: Person
let learner: Person
let id: NotificationId

beforeAll(async () => {
  portal = await startHarness()
  const [first, ...learners] = await portal.people(3)
  if (!first || !learners[0]) throw new Error('test user missing')
  ;[admin, learner] = [first, learners[0]]
  const body = { userIds: learners.map(({ userId }) => userId), title: 'Fees', message: 'Are due', type: 'Exam' }
  id = (await portal.call(sendNotification, { as: admin, body })).notificationId
})
afterAll(() => portal.stop())

const unknown = { id: notificationIdAt(99) }

const listings = () =>
  portal.context.securityLog.events.flatMap(({ event, result, route, target, userId }) =>
    event === 'users-listed' && result === 'ok' && userId === admin.userId ? [[route, target]] : [],
  )

describe('the recipients of a notification', () => {
  it('are listed for admins, with names', async () => {
    const page = await portal.call(listRecipients, { as: admin, params: { id }, query: { limit: 2 } })
    expect(page.recipients).toHaveLength(2)
    for (const { fullName, personalEmail, status } of page.recipients) {
      expect([fullName, personalEmail, status]).toEqual([
        expect.stringMatching(/./),
        expect.stringMatching(/@/),
        'pending',
      ])
    }
    expect(page.counts).toEqual({ pending: 3, live: 0, pushed: 0, skipped: 0, failed: 0, cancelled: 0 })
    expect(page.pagination).toEqual({ page: 1, limit: 2, total: 3, totalPages: 2 })
  })

  it('of an unknown notification are not found', async () => {
    for (const route of [listRecipients, exportRecipients]) {
      const answer = await portal.inject(route, { as: admin, params: unknown })
      expect([answer.statusCode, answer.json().message]).toEqual([404, 'Notification not found'])
    }
  })
})

describe('the export', () => {
  const exported = async () => {
    const events = []
    for await (const { type, data, metadata } of portal.context.eventStore.read(streamOf(campaignDecider.category, id)))
      if (type === 'RecipientsExported') events.push({ data, by: metadata.actorId })
    return events
  }

  it('is a CSV file of what the filter selects, and is recorded with the admin', async () => {
    const answer = await portal.inject(exportRecipients, { as: admin, params: { id }, query: { status: 'pending' } })
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="recipients-${id}.csv"`,
    })
    expect(answer.body.trimEnd().split('\r\n')).toHaveLength(4)
    expect(await exported()).toEqual([
      { data: { notificationId: id, requestedBy: admin.userId, rows: 3 }, by: admin.userId },
    ])
    expect(portal.context.securityLog.events.at(-1)).toMatchObject({ event: 'users-listed', result: 'ok', target: id })
  })

  it('can be empty', async () => {
    const answer = await portal.inject(exportRecipients, { as: admin, params: { id }, query: { status: 'failed' } })
    expect(answer.body.trimEnd().split('\r\n')).toHaveLength(1)
  })
})

describe('a person', () => {
  it('has their last notifications with status, reason and read time', async () => {
    await portal.call(readNotification, { as: learner, params: { id } })
    await portal.untilProjected()
    const found = await portal.call(getPerson, { as: admin, params: { userId: learner.userId } })
    expect(found.person).toMatchObject({ userId: learner.userId, fullName: expect.stringMatching(/./) })
    const [newest] = found.deliveries
    expect(newest).toMatchObject({ notificationId: id, title: 'Fees', type: 'Exam' })
    expect(newest?.says).toMatch(/\.$/)
    expect(newest?.readAt).toBeDefined()
  })

  it('has their enrollments and devices, without what identifies a device', async () => {
    const [pending, completed] = ['Pending', 'Completed'] as const
    await portal.recordCatalog(
      enrolledIn(2, learner.userId, pending),
      savedProgram(1, 'AI'),
      enrolledIn(1, learner.userId, completed),
    )
    const { userId, ...enrollment } = enrollmentOf(2, learner.userId)
    const feeAccount = { installmentsPaise: [1_500_000, 1_500_000], paidPaise: 1_500_000 }
    await portal.recordCatalog({
      type: 'EnrollmentChanged',
      data: { userId, enrollment: { ...enrollment, feeAccount }, change: 'payment-confirmed' },
    })
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
    await portal.call(savePushToken, { as: learner, body: { token: 'a-token' }, headers: { 'user-agent': userAgent } })
    await portal.untilProjected()
    const found = await portal.call(getPerson, { as: admin, params: { userId: learner.userId } })
    expect(found.enrollments).toEqual([
      {
        programId: programIdAt(2),
        programName: 'The name at that time',
        currentSemester: 'Semester 1',
        paymentStatus: pending,
        feeAccount,
      },
      { programId: programIdAt(1), programName: 'AI', currentSemester: 'Semester 1', paymentStatus: completed },
    ])
    const time = expect.stringMatching(/^20/)
    expect(found.devices).toEqual([{ name: 'Firefox on Linux', addedAt: time, usedAt: time }])
  })

  it('is not found if it is unknown', async () => {
    const answer = await portal.inject(getPerson, { as: admin, params: { userId: userIdAt(999) } })
    expect([answer.statusCode, answer.json().message]).toEqual([404, 'User not found'])
  })
})

it('each listing of people is in the security log, and no request for headers alone', async () => {
  const before = listings().length
  await portal.call(listRecipients, { as: admin, params: { id }, query: { page: 2 } })
  await portal.call(listPeople, { as: admin, body: { audience: {} } })
  await portal.call(getPerson, { as: admin, params: { userId: learner.userId } })
  await portal.inject(exportRecipients, { as: admin, params: { id } })
  for (const route of [listRecipients, exportRecipients]) {
    const answer = await portal.context.app.inject({
      ...requestOf(route, { as: admin, params: { id } }),
      method: 'HEAD',
    })
    expect(answer.statusCode).toBe(200)
  }
  expect(listings().slice(before)).toEqual([
    [listRecipients.path, id],
    [listPeople.path, undefined],
    [getPerson.path, learner.userId],
    [exportRecipients.path, id],
  ])
})
