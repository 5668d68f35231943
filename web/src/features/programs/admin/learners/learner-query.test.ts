import { learnerSorts } from '@portal/contracts/notifications/learners'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { learnersBackOf, learnerQueryOf, learnerSearch } from './learner-query.ts'

const queries = fc.record({
  page: fc.integer({ min: 1, max: 999 }),
  q: fc.constantFrom('', 'asha rao', 'ü & 100%'),
  sort: fc.constantFrom(...learnerSorts),
  conditions: fc.record({
    paymentStatus: fc.constantFrom(undefined, 'Pending', 'Completed'),
    semester: fc.constantFrom(undefined, 1, 20),
  }),
})

describe('the address of the learners', () => {
  it('holds the page, the search, the filter and the order', () => {
    fc.assert(
      fc.property(queries, (query) => {
        expect(learnerQueryOf(new URLSearchParams(learnerSearch(query).toString()))).toEqual(query)
      }),
    )
  })

  it('ignores invalid values', () => {
    expect(learnerQueryOf(new URLSearchParams('page=-1&sort=age&payment=Late&semester=21'))).toEqual({
      page: 1,
      q: '',
      sort: 'name',
      conditions: { paymentStatus: undefined, semester: undefined },
    })
  })

  it('is where the page of a person leads back to, if it was opened from there', () => {
    const learners = '/admin/programs/01930000-0000-7000-9000-000000000001/learners?semester=2'
    expect(learnersBackOf({ learners })).toEqual({ to: learners, label: 'learners' })
    for (const state of [
      null,
      { people: '' },
      { learners: 'https://elsewhere.example' },
      { learners: '/admin/people' },
    ])
      expect(learnersBackOf(state)).toBeUndefined()
  })
})
