import {
  exportRecipients,
  getCampaign,
  listRecentNotifications,
  readNotification,
  recallNotification,
  sendNotification,
} from '@portal/contracts/notifications/http'
import { sentItemSchema } from '@portal/contracts/notifications/sent-item'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { notificationIdAt } from '@portal/notifications/testing/samples'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let portal: Harness
let admin: Person
let [ada, ben]: Person[] = []

beforeAll(async () => {
  portal = await startHarness()
  const [first, ...learners] = await portal.people(2)
  if (!first) throw new Error('test user missing')
  ;[admin, [ada, ben]] = [first, learners]
})
afterAll(() => portal.stop())

const send = async (title: string, type = 'Exam'): Promise<NotificationId> => {
  const userIds = [ada?.userId, ben?.userId]
  const body = { userIds, title, message: 'Are due', type }
  return (await portal.call(sendNotification, { as: admin, body })).notificationId
}
const campaign = (id: NotificationId) => portal.call(getCampaign, { as: admin, params: { id } })

describe('a campaign', () => {
  it('says who sent it, what admins did and how it went over time', async () => {
    const id = await send('Fees')
    await portal.call(readNotification, { as: ada, params: { id } })
    await portal.inject(exportRecipients, { as: admin, params: { id } })
    await portal.untilProjected()
    const found = await campaign(id)
    const by = { userId: admin.userId, fullName: expect.stringMatching(/./) }
    expect(found.campaign).toMatchObject({ title: 'Fees', sentBy: by, progress: { targeted: 2, read: 1 } })
    expect(found.actions).toEqual([
      { kind: 'sent', by, at: expect.any(String) },
      { kind: 'exported', by, at: expect.any(String), recipients: 2 },
    ])
    expect(found).toMatchObject({ remindedBy: [], resendable: 0, resendsLeft: 4, emailAvailable: true })
    for (const points of [found.firstHour, found.byDay])
      expect(points.reduce((sum, { reads }) => sum + reads, 0)).toBe(1)
  })

  it('shows neither title nor text after a recall, and cannot be resent', async () => {
    const id = await send('Secret')
    await portal.call(recallNotification, { as: admin, params: { id }, body: { reason: 'wrong date' } })
    const found = await campaign(id)
    expect(found.campaign).toMatchObject({ title: 'This notification was withdrawn', message: '' })
    expect(found.campaign.withdrawnAt).toBeDefined()
    expect(found.actions.at(-1)).toMatchObject({ kind: 'recalled', reason: 'wrong date' })
    expect(found.resendsLeft).toBe(0)
    expect(JSON.stringify(found)).not.toContain('Secret')
  })

  it('links to the campaign that it reminds of, and back', async () => {
    const id = await send('Exam moved')
    const body = { audience: { unreadOf: id }, title: 'Reminder: Exam moved', message: 'Again', type: 'Exam' }
    const reminder = (await portal.call(sendNotification, { as: admin, body })).notificationId
    expect((await campaign(id)).remindedBy).toEqual([reminder])
    expect((await campaign(reminder)).campaign.remindsOf).toBe(id)
  })

  it('is not found if it is unknown', async () => {
    const answer = await portal.inject(getCampaign, { as: admin, params: { id: notificationIdAt(99) } })
    expect([answer.statusCode, answer.json().message]).toEqual([404, 'Notification not found'])
  })
})

describe('the history', () => {
  it('can be filtered by admins; a learner gets the whole inbox', async () => {
    const id = await send('Library', 'General')
    const query = { type: 'General', q: 'library', sentBy: admin.userId }
    const filtered = await portal.call(listRecentNotifications, { as: admin, query })
    expect(filtered.notifications.map(({ _id }) => _id)).toEqual([id])
    expect(filtered.pagination.total).toBe(1)
    expect(sentItemSchema.parse(filtered.notifications[0]).sentBy).toMatchObject({ userId: admin.userId })
    const inbox = await portal.call(listRecentNotifications, { as: ada, query })
    expect(inbox.pagination.total).toBeGreaterThan(1)
  })
})
