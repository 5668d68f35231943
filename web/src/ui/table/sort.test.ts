import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextSort, sortRows, type Sort, type SortKey } from './sort.ts'

const by = (direction: Sort<'key'>['direction']): Sort<'key'> => ({ column: 'key', direction })
const sorted = (keys: readonly SortKey[], sort: Sort<'key'> | null = by('ascending')) =>
  sortRows(keys, sort, (key) => key)

describe('sorting a table', () => {
  it('orders numbers by size and text naturally', () => {
    expect(sorted([10, 9, 100])).toEqual([9, 10, 100])
    expect(sorted(['Track 10', 'track 2', 'Álgebra', 'Botany'])).toEqual(['Álgebra', 'Botany', 'track 2', 'Track 10'])
    expect(sorted(['On request', 45_000, 'Free', 1_000])).toEqual([1_000, 45_000, 'Free', 'On request'])
  })

  it('reverses the same column and starts ascending on another', () => {
    const first = nextSort<'name' | 'fee'>(null, 'name')
    expect(first).toEqual({ column: 'name', direction: 'ascending' })
    const second = nextSort(first, 'name')
    expect(second.direction).toBe('descending')
    expect(nextSort(second, 'name').direction).toBe('ascending')
    expect(nextSort(second, 'fee')).toEqual({ column: 'fee', direction: 'ascending' })
  })

  it('keeps every row, is stable, and changes nothing without a sort', () => {
    const rows = fc.array(fc.record({ key: fc.oneof(fc.nat(3), fc.constantFrom('a', 'A', 'b')), at: fc.nat() }))
    fc.assert(
      fc.property(rows, fc.constantFrom('ascending', 'descending'), (given, direction) => {
        const numbered = given.map((row, index) => ({ ...row, index }))
        const result = sortRows(numbered, by(direction), ({ key }) => key)
        expect(new Set(result)).toEqual(new Set(numbered))
        expect(sortRows(numbered, null, () => 0)).toBe(numbered)
        const isInPlace = result.every(({ key, index }, n) => {
          const next = result[n + 1]
          return next?.key !== key || next.index > index
        })
        expect(isInPlace).toBe(true)
      }),
    )
  })
})
