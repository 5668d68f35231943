import { expect, it } from 'vitest'
import { userIdAt } from '@portal/notifications/testing/samples'
import { apiErrorOf } from './api-errors.ts'

const ids = (count: number) => Array.from({ length: count }, (_, n) => userIdAt(n))

it('names the recipients that are wrong, of many the first ten', () => {
  expect(apiErrorOf({ reason: 'selected-twice', userIds: ids(10) })).toEqual({
    code: 'invalid',
    message: 'Some users are selected more than once',
    errors: { userIds: ids(10).join(', ') },
  })
  expect(apiErrorOf({ reason: 'unknown-users', userIds: ids(12) })).toEqual({
    code: 'invalid',
    message: 'Some selected users do not exist',
    errors: { userIds: `${ids(10).join(', ')} and 2 more` },
  })
})

it('has words for the others', () => {
  expect(apiErrorOf({ reason: 'nobody-selected' })).toEqual({
    code: 'invalid',
    message: 'Please select at least one user',
  })
  expect(apiErrorOf({ reason: 'key-used-for-another' })).toEqual({
    code: 'conflict',
    message: 'This Idempotency-Key was used for another notification',
  })
})
