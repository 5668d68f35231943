import { programRecordIdSchema } from '@portal/contracts/shared/ids'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyRule } from '../audience/rule.ts'
import { peopleBackOf, peopleQueryOf, peopleSearch } from './people-query.ts'

const ids = [1, 2].map((n) => programRecordIdSchema.parse(`01890000-0000-7000-9000-00000000000${n}`))
const queries = fc.record({
  page: fc.integer({ min: 1, max: 999 }),
  q: fc.constantFrom('', 'asha rao', 'ü & 100%'),
  rule: fc
    .record({
      programIds: fc.subarray(ids),
      paymentStatuses: fc.subarray(['Pending', 'Completed'] as const),
      universityNames: fc.subarray(['Hill & Dale', 'University of = and ?']),
      roles: fc.subarray(['student', 'faculty'] as const),
    })
    .map((conditions) => ({ ...emptyRule, ...conditions })),
})

describe('the address of the people', () => {
  it('holds the page, the search and the filter', () => {
    fc.assert(
      fc.property(queries, (query) => {
        const address = peopleSearch(query).toString()
        expect(peopleQueryOf(new URLSearchParams(address))).toEqual(query)
      }),
    )
  })

  it('ignores invalid and repeated values', () => {
    const address = new URLSearchParams('page=-1&role=admin&role=student&role=student&program=x&payment=Late')
    expect(peopleQueryOf(address)).toEqual({ page: 1, q: '', rule: { ...emptyRule, roles: ['student'] } })
  })

  it('is where the page of a person leads back to, if it was opened from there', () => {
    expect(peopleBackOf({ people: '?role=student' })).toEqual({
      to: '/admin/dashboard/users?role=student',
      label: 'users',
    })
    expect(peopleBackOf(null)).toBeUndefined()
    expect(peopleBackOf({ saved: 'x' })).toBeUndefined()
  })
})
