import { notificationIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { expect, it } from 'vitest'
import { recentDeliveriesText } from './recent-deliveries.ts'

const userId = userIdSchema.parse('01980000-0000-7000-8000-000000000001')
const notificationId = notificationIdSchema.parse('01980000-0000-7000-8000-000000000002')

it('lists the newest notifications of a user with ids, and says how to explain one', () => {
  const deliveredAt = '2026-11-24T10:00:00.000Z'
  const delivery = { notificationId, deliveredAt, status: 'skipped', reason: 'no device', reading: 'unread' } as const
  const text = recentDeliveriesText({ userId, total: 37, deliveries: [delivery] })
  expect(text.split('\n')).toEqual([
    `37 notifications in the inbox of user ${userId}, the newest 1:`,
    '',
    'notification                          arrived                  status               reading',
    `${notificationId}  2026-11-24 10:00:00.000  skipped (no device)  unread`,
    '',
    `To explain one: make why USER=${userId} NOTIFICATION=${notificationId}`,
  ])
})

it('says so if the inbox is empty', () => {
  expect(recentDeliveriesText({ userId, total: 0, deliveries: [] })).toBe(
    `No notifications in the inbox of user ${userId}.`,
  )
})
