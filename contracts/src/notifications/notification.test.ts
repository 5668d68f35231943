import { describe, expect, test } from 'vitest'
import { inboxItemSchema, strictInboxItemSchema } from './notification.ts'
import { sentItemSchema } from './sent-item.ts'

const id = '01930000-0000-7000-8000-000000000001'
const rest = {
  message: 'Please come to room 12.',
  isRead: false,
  readAt: null,
  deliveredAt: '2026-11-21T09:00:00.000Z',
  timestamp: '2026-11-21T09:00:00.000Z',
  seq: 1,
}
const first = { _id: id, notificationTitle: 'Exam moved', notificationType: 'Exam' }
const second = { id, title: 'Exam moved', type: 'Exam' }
const whole = { ...first, ...second, ...rest }
const progress = {
  notificationId: id,
  targeted: 0,
  pending: 0,
  live: 0,
  pushed: 0,
  skipped: 0,
  failed: 0,
  cancelled: 0,
  read: 0,
}

describe('an inbox item', () => {
  test('[N-9] is accepted with either spelling of its fields, or both', () => {
    for (const fields of [first, second, { ...first, ...second }]) {
      expect(inboxItemSchema.parse({ ...fields, ...rest })).toEqual(whole)
      expect(sentItemSchema.parse({ ...fields, ...rest, progress })).toMatchObject(whole)
    }
  })

  test('is accepted without a title and a type, for which the screen has defaults', () => {
    const bare = { title: '', notificationTitle: '', type: '', notificationType: '' }
    expect(inboxItemSchema.parse({ _id: id, ...rest })).toEqual({ ...whole, ...bare })
  })

  test('must have both spellings in a response', () => {
    expect(strictInboxItemSchema.safeParse(whole).success).toBe(true)
    for (const fields of [first, second])
      expect(strictInboxItemSchema.safeParse({ ...fields, ...rest }).success).toBe(false)
  })

  test('is rejected if it is no object', () => {
    expect([null, 'text', 7, []].filter((item) => inboxItemSchema.safeParse(item).success)).toEqual([])
  })
})
