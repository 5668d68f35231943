import { expect, it } from 'vitest'
import { cancelMessage, resendMessage } from './messages.ts'

it('a cancel says how many were canceled, had been delivered and are in progress', () => {
  const rows = [
    [412, 588, 0, '412 canceled. 588 had already been delivered.'],
    [1, 1, 0, '1 canceled. 1 had already been delivered.'],
    [1_200, 0, 0, '1,200 canceled. None had been delivered.'],
    [0, 588, 0, 'Nothing was left to cancel. All 588 had already been delivered.'],
    [0, 1, 0, 'Nothing was left to cancel. 1 had already been delivered.'],
    [412, 500, 88, '412 canceled so far. 500 had already been delivered. 88 are still in progress.'],
    [0, 0, 1, '0 canceled so far. None had been delivered. 1 is still in progress.'],
  ] as const
  expect(rows.map(([cancelled, alreadySent, pending]) => cancelMessage({ cancelled, alreadySent, pending }))).toEqual(
    rows.map(([, , , message]) => message),
  )
})

it('a resend says to how many people', () => {
  expect([1, 12, 12_000].map((resent) => resendMessage(resent))).toEqual([
    'Sending again to 1 person.',
    'Sending again to 12 people.',
    'Sending again to 12,000 people.',
  ])
})
