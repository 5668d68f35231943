import { expect, it } from 'vitest'
import { cancelMessage, resendMessage } from './action-messages.ts'

it.each([
  [412, 588, 0, '412 canceled. 588 had already been delivered.'],
  [1, 1, 0, '1 canceled. 1 had already been delivered.'],
  [1_200, 0, 0, '1,200 canceled. None had been delivered.'],
  [0, 588, 0, 'Nothing was left to cancel. All 588 had already been delivered.'],
  [0, 1, 0, 'Nothing was left to cancel. 1 had already been delivered.'],
  [412, 500, 88, '412 canceled so far. 500 had already been delivered. 88 are still in progress.'],
  [0, 0, 1, '0 canceled so far. None had been delivered. 1 is still in progress.'],
])('answers a cancel of %i, %i and %i', (cancelled, alreadySent, pending, message) => {
  expect(cancelMessage({ cancelled, alreadySent, pending })).toBe(message)
})

it.each([
  [1, 'Sending again to 1 person.'],
  [12, 'Sending again to 12 people.'],
  [12_000, 'Sending again to 12,000 people.'],
])('answers a resend to %i', (resent, message) => {
  expect(resendMessage(resent)).toBe(message)
})
