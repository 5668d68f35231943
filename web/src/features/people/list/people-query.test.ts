import { peopleSorts } from '@portal/contracts/notifications/people'
import { programRecordIdSchema } from '@portal/contracts/shared/ids'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { peopleBackOf, peopleQueryOf, peopleSearch } from './people-query.ts'

const ids = [1, 2].map((n) => programRecordIdSchema.parse(`01890000-0000-7000-9000-00000000000${n}`))
const queries = fc.record({
  page: fc.integer({ min: 1, max: 999 }),
  q: fc.constantFrom('', 'asha rao', 'ü & 100%'),
  sort: fc.constantFrom(...peopleSorts),
  conditions: fc.record({
    programId: fc.subarray(ids),
    paymentStatus: fc.subarray(['Pending', 'Completed'] as const),
    universityName: fc.subarray(['Hill & Dale', 'University of = and ?']),
    role: fc.subarray(['student', 'faculty', 'admin'] as const),
    state: fc.subarray(['active', 'deactivated'] as const),
  }),
})

describe('the address of the users', () => {
  it('holds the page, the search, the filter and the order', () => {
    fc.assert(
      fc.property(queries, (query) => {
        const address = peopleSearch(query).toString()
        expect(peopleQueryOf(new URLSearchParams(address))).toEqual(query)
      }),
    )
  })

  it('ignores invalid and repeated values', () => {
    const address = new URLSearchParams(
      'page=-1&sort=age&role=owner&role=student&role=student&program=x&payment=Late&state=gone',
    )
    const none = { programId: [], paymentStatus: [], universityName: [], state: [] }
    expect(peopleQueryOf(address)).toEqual({
      page: 1,
      q: '',
      sort: 'name',
      conditions: { ...none, role: ['student'] },
    })
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
