import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { specification } from '@portal/platform/testing/decider/specification'
import { expect, it } from 'vitest'
import { nextMailId, unseenMailDecider } from './decider.ts'
import type { UnseenMailEvent } from './events.ts'

const { given } = specification(unseenMailDecider)
const userId = userIdAt(1)
const record = (...ids: readonly number[]) =>
  ({ type: 'RecordUnseenMail', userId, notificationIds: ids.map(notificationIdAt) }) as const
const sent = (...ids: readonly number[]): UnseenMailEvent => ({
  type: 'UnseenMailSent',
  data: { userId, notificationIds: ids.map(notificationIdAt) },
})

it('an e-mail is recorded with the notifications that were in no earlier one', () => {
  given([])
    .when(record(1, 2))
    .then([sent(1, 2)])
  given([sent(1, 2)])
    .when(record(2, 3))
    .then([sent(3)])
})

it('an e-mail that mentions nothing new is not recorded', () => {
  given([sent(1), sent(2)])
    .when(record(1, 2))
    .thenNothing()
})

it('the id of an e-mail stays the same until it is recorded, and differs between users', () => {
  const { initial, evolve } = unseenMailDecider
  expect(nextMailId(userId, initial)).toBe(nextMailId(userId, initial))
  expect(nextMailId(userId, evolve(initial, sent(1)))).not.toBe(nextMailId(userId, initial))
  expect(nextMailId(userIdAt(2), initial)).not.toBe(nextMailId(userId, initial))
})
