import { notificationTypes } from '@portal/contracts/notifications/notification'
import { userIdSchema } from '@portal/contracts/shared/ids'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  countConditions,
  firstPage,
  historyQueryOf,
  isSameQuery,
  isUnfiltered,
  requestedFilter,
  withHistoryQuery,
} from './history-query.ts'

const sender = userIdSchema.parse('01890000-0000-7000-8000-000000000007')
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const filters = fc
  .record({
    q: sometimes(fc.constantFrom('exam', 'fees & dates', 'ü 100%')),
    type: sometimes(fc.constantFrom(...notificationTypes)),
    sentBy: sometimes(fc.constant(sender)),
    source: sometimes(fc.constantFrom('all', 'admins', 'portal')),
    status: sometimes(fc.constantFrom('pending', 'failed', 'cancelled', 'recalled')),
    from: sometimes(fc.constant('2026-11-01')),
    to: sometimes(fc.constant('2026-11-23')),
  })
  .map((filter) => Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)))

describe('the address of the history', () => {
  it('holds the page and the whole filter', () => {
    fc.assert(
      fc.property(filters, fc.integer({ min: 1, max: 999 }), (filter, page) => {
        const query = { page, filter }
        const address = withHistoryQuery(new URLSearchParams(), query).toString()
        expect(historyQueryOf(new URLSearchParams(address))).toEqual(query)
        expect(isSameQuery(historyQueryOf(new URLSearchParams(address)), query)).toBe(true)
      }),
    )
  })

  it('keeps the parameters of the send form and drops its own', () => {
    const address = new URLSearchParams('to=42&search=exam&page=3')
    expect(withHistoryQuery(address, firstPage).toString()).toBe('to=42')
  })

  it('ignores invalid values', () => {
    const address = new URLSearchParams('page=-2&type=Party&status=lost&since=yesterday&sender=me&search=exam')
    expect(historyQueryOf(address)).toEqual({ page: 1, filter: { q: 'exam' } })
    expect(historyQueryOf(new URLSearchParams('page=x'))).toEqual(firstPage)
  })
})

describe('the filter of the history', () => {
  it('counts its conditions without the search', () => {
    expect(isUnfiltered({})).toBe(true)
    expect(isUnfiltered({ q: 'exam' })).toBe(false)
    expect(countConditions({ q: 'exam' })).toBe(0)
    expect(countConditions({ type: 'Exam', status: 'failed' })).toBe(2)
    expect(countConditions({ source: 'portal' })).toBe(1)
  })

  it('selects what admins sent unless a sender is chosen', () => {
    expect(requestedFilter({ q: 'exam' })).toEqual({ q: 'exam', source: 'admins' })
    expect(requestedFilter({ sentBy: sender })).toEqual({ sentBy: sender })
    expect(requestedFilter({ source: 'all' })).toEqual({ source: 'all' })
  })
})
