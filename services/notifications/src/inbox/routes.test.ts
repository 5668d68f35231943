import {
  countUnread,
  getNotification,
  listNotifications,
  listRecentNotifications,
  readAllNotifications,
  readNotification,
  sendNotification,
} from '@portal/contracts/notifications/http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { notificationIdAt } from '@portal/notifications/testing/samples'

let harness: Harness
let admin: Person
let ada: Person
let ben: Person

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

beforeEach(async () => {
  ;({ admin, ada, ben } = await harness.cast())
})

const sendTo = (person: Person, title: string) =>
  harness.call(sendNotification, { as: admin, body: { userIds: [person.userId], title, message: `About ${title}` } })

const titlesOf = async (person: Person, query = {}) =>
  (await harness.call(listNotifications, { as: person, query })).notifications.map(({ title }) => title)

const aTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('a page', () => {
  it('[N-15 N-28] is empty at first', async () => {
    expect(await harness.call(listNotifications, { as: ada })).toEqual({
      success: true,
      notifications: [],
      pagination: { page: 1, limit: 10, total: 0, totalPages: 0 },
      epoch: harness.context.readModel.epoch,
      seq: 0,
      unread: 0,
    })
  })

  it('[G-25 N-15] contains campaigns, newest first, in pages', async () => {
    for (const n of [1, 2, 3, 4, 5]) await sendTo(ada, `N${n}`)
    expect(await titlesOf(ada, { limit: 2 })).toEqual(['N5', 'N4'])
    expect(await titlesOf(ada, { limit: 2, page: 3 })).toEqual(['N1'])
    expect(await titlesOf(ada, { limit: 2, page: 4 })).toEqual([])
    expect((await harness.call(listNotifications, { as: ada, query: { limit: 2 } })).pagination).toEqual({
      page: 1,
      limit: 2,
      total: 5,
      totalPages: 3,
    })
  })

  it('belongs to one user', async () => {
    await sendTo(ada, 'For Ada')
    expect(await titlesOf(ben)).toEqual([])
  })

  it("[N-16] is the response for a non-admin's recent notifications", async () => {
    await sendTo(ada, 'For Ada')
    const recent = await harness.call(listRecentNotifications, { as: ada })
    expect(recent.notifications).toMatchObject([{ title: 'For Ada', isRead: false }])
    expect(recent.notifications[0]).not.toHaveProperty('progress')
    expect(recent.pagination).toEqual({ page: 1, limit: 10, total: 1, totalPages: 1 })
  })
})

describe('one notification', () => {
  it('[N-9 N-30] is found at any depth', async () => {
    const { notificationId } = await harness.call(sendNotification, {
      as: admin,
      body: { userIds: [ada.userId], title: 'First', message: 'About First', type: 'Exam' },
    })
    for (const n of [1, 2, 3]) await sendTo(ada, `N${n}`)
    const { notification } = await harness.call(getNotification, { as: ada, params: { id: notificationId } })
    expect(notification).toMatchObject({
      _id: notificationId,
      id: notificationId,
      notificationTitle: 'First',
      title: 'First',
      notificationType: 'Exam',
      type: 'Exam',
      message: 'About First',
      isRead: false,
      readAt: null,
      seq: 1,
    })
    expect(notification.deliveredAt).toMatch(aTime)
    expect(notification.timestamp).toBe(notification.deliveredAt)
  })

  it("is not found in another user's inbox, or with an unknown id", async () => {
    const { notificationId } = await sendTo(ada, 'For Ada')
    for (const id of [notificationId, notificationIdAt(404)]) {
      const response = await harness.inject(getNotification, { as: ben, params: { id } })
      expect(response.statusCode).toBe(404)
      expect(response.json()).toMatchObject({ success: false, message: 'Notification not found' })
    }
  })
})

describe('marking as read', () => {
  it('[N-13 N-17 N-18] is visible when the response is sent', async () => {
    const { notificationId } = await sendTo(ada, 'One')
    await sendTo(ada, 'Two')
    const answer = await harness.call(readNotification, { as: ada, params: { id: notificationId } })
    const readAt: unknown = expect.stringMatching(aTime)
    expect(answer).toMatchObject({ seq: 3, unread: 1, notification: { isRead: true, readAt, seq: 1 } })
    expect(await harness.call(countUnread, { as: ada })).toEqual({
      success: true,
      count: 1,
      epoch: harness.context.readModel.epoch,
      seq: 3,
      unread: 1,
    })
    const page = await harness.call(listNotifications, { as: ada })
    expect(page.notifications.map(({ title, isRead }) => [title, isRead])).toEqual([
      ['Two', false],
      ['One', true],
    ])
  })

  it('from two devices at once counts once', async () => {
    const { notificationId } = await sendTo(ada, 'One')
    const read = () => harness.call(readNotification, { as: ada, params: { id: notificationId } })
    const [first, second] = await Promise.all([read(), read()])
    expect(first).toEqual(second)
    expect(await harness.call(countUnread, { as: ada })).toMatchObject({ count: 0, seq: 2 })
  })

  it("another user's notification is rejected and changes nothing", async () => {
    const { notificationId } = await sendTo(ada, 'One')
    const response = await harness.inject(readNotification, { as: ben, params: { id: notificationId } })
    expect(response.statusCode).toBe(404)
    expect(await harness.call(countUnread, { as: ada })).toMatchObject({ count: 1 })
  })
})

describe('marking all as read', () => {
  it('[N-14 N-19] leaves nothing unread, with the time of the mark', async () => {
    for (const n of [1, 2, 3]) await sendTo(ada, `N${n}`)
    expect(await harness.call(readAllNotifications, { as: ada })).toEqual({
      success: true,
      message: 'All notifications marked as read',
      epoch: harness.context.readModel.epoch,
      seq: 4,
      unread: 0,
    })
    const { notifications } = await harness.call(listNotifications, { as: ada })
    const times = new Set(notifications.map(({ readAt }) => readAt))
    expect(notifications.every(({ isRead }) => isRead)).toBe(true)
    expect([...times]).toEqual([expect.stringMatching(aTime)])
  })

  it('records nothing if nothing is unread', async () => {
    await sendTo(ada, 'One')
    await harness.call(readAllNotifications, { as: ada })
    const end = await harness.context.eventStore.end()
    expect(await harness.call(readAllNotifications, { as: ada })).toMatchObject({ seq: 2, unread: 0 })
    expect(await harness.context.eventStore.end()).toBe(end)
  })

  it('[N-13] keeps the times of earlier reads', async () => {
    const { notificationId } = await sendTo(ada, 'One')
    await sendTo(ada, 'Two')
    const { notification } = await harness.call(readNotification, { as: ada, params: { id: notificationId } })
    await harness.call(readAllNotifications, { as: ada })
    const after = await harness.call(getNotification, { as: ada, params: { id: notificationId } })
    expect(notification.readAt).toMatch(aTime)
    expect(after.notification.readAt).toBe(notification.readAt)
  })
})
