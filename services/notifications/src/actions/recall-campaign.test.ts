import {
  countUnread,
  getNotification,
  listNotifications,
  readNotification,
  recallNotification,
  sendNotification,
} from '@portal/contracts/notifications/http'
import { withdrawnTitle } from '@portal/contracts/notifications/notification'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { notificationIdAt } from '@portal/notifications/testing/samples'
import { createContentCache, readTextFromLog } from '../inbox/content-cache.ts'
import { createInboxReader } from '../inbox/inbox-reader.ts'
import { textRef } from '../read-model.ts'
import { plainTexts } from '@portal/notifications/testing/plain-texts'

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

const send = async (title: string, ...to: readonly Person[]): Promise<NotificationId> => {
  const body = { userIds: to.map(({ userId }) => userId), title, message: `About ${title}` }
  return (await harness.call(sendNotification, { as: admin, body })).notificationId
}
const recall = (id: NotificationId, body: { readonly reason?: string } = {}) =>
  harness.call(recallNotification, { as: admin, params: { id }, body })
const pageOf = (person: Person) => harness.call(listNotifications, { as: person })
const unreadOf = async (person: Person) => (await harness.call(countUnread, { as: person })).unread
const recordedEvents = async (id: NotificationId) => {
  const types: string[] = []
  for await (const { type } of harness.context.eventStore.read(`campaign-${id}`)) types.push(type)
  return types
}

describe('a recall', () => {
  it('leaves one quiet line that counts as read', async () => {
    const id = await send('Exam moved', ada, ben)
    await send('Later', ada)
    expect(await recall(id)).toEqual({ success: true, message: 'Withdrawn from 2 inboxes.', recalled: 2 })
    const { notifications, pagination, unread } = await pageOf(ada)
    expect(notifications.map(({ title, message, isRead }) => ({ title, message, isRead }))).toEqual([
      { title: 'Later', message: 'About Later', isRead: false },
      { title: withdrawnTitle, message: '', isRead: true },
    ])
    expect(pagination.total).toBe(2)
    expect(unread).toBe(1)
    expect(await unreadOf(ben)).toBe(0)
    expect(JSON.stringify(await pageOf(ben))).not.toContain('Exam moved')
  })

  it('makes the notification not found, for a view and for a read', async () => {
    const id = await send('Exam moved', ada)
    await recall(id)
    for (const route of [getNotification, readNotification]) {
      const answer = await harness.inject(route, { as: ada, params: { id } })
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toMatchObject({ message: 'Notification not found' })
    }
  })

  it('erases the text from the read model, and neither another process nor the log brings it back', async () => {
    const id = await send('Exam moved', ada)
    const { readModel, eventStore, logger } = harness.context
    const otherCache = createContentCache(readModel)
    const other = createInboxReader(readModel, { contentCache: otherCache, fillTexts: plainTexts })
    expect((await other.page(ada.userId, { page: 1, limit: 10 })).notifications[0]?.title).toBe('Exam moved')
    await recall(id)
    await harness.untilProjected()
    expect(JSON.stringify(await readModel.get(textRef(id)))).not.toContain('Exam moved')
    const { notifications } = await other.page(ada.userId, { page: 1, limit: 10 })
    expect(JSON.stringify(notifications)).not.toContain('Exam moved')

    await readModel.putImmutable(textRef(id), { notificationId: id, title: 'Exam moved', message: '', type: 'General' })
    const restarted = createContentCache(readModel, { fromLog: readTextFromLog(eventStore), logger })
    expect(await restarted.many([id])).toMatchObject([{ title: withdrawnTitle, isWithdrawn: true }])
    expect(await readTextFromLog(eventStore)(id)).toMatchObject({ title: withdrawnTitle })
  })

  it('repeated answers the same and records nothing', async () => {
    const id = await send('Exam moved', ada)
    const first = await recall(id, { reason: 'Wrong date' })
    const recorded = await recordedEvents(id)
    expect(await recall(id)).toEqual(first)
    expect(first.message).toBe('Withdrawn from 1 inbox.')
    expect(await recordedEvents(id)).toEqual(recorded)
  })

  it('of an unknown notification is not found', async () => {
    const answer = await harness.inject(recallNotification, { as: admin, params: { id: notificationIdAt(404) } })
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({ message: 'Notification not found' })
  })
})
