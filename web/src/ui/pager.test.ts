import { describe, expect, it } from 'vitest'
import { pagerEntries, rangeText } from './pager.tsx'

const text = (page: number, of: number) =>
  pagerEntries(page, of)
    .map((entry) => (entry.kind === 'page' ? (entry.page === page ? `[${entry.page}]` : entry.page) : '…'))
    .join(' ')

describe('the pager', () => {
  it.each([
    [1, 1, '[1]'],
    [1, 2, '[1] 2'],
    [1, 5, '[1] 2 … 5'],
    [3, 5, '1 2 [3] 4 5'],
    [4, 9, '1 … 3 [4] 5 … 9'],
    [2, 4, '1 [2] 3 4'],
    [1, 4, '[1] 2 … 4'],
    [5, 9, '1 … 4 [5] 6 … 9'],
    [9, 9, '1 … 8 [9]'],
    [500, 1000, '1 … 499 [500] 501 … 1000'],
  ])('[G-59] shows page %i of %i as %s', (page, of, expected) => {
    expect(text(page, of)).toBe(expected)
  })

  it.each([
    [{ page: 1, limit: 10, total: 42 }, 'Showing 1 to 10 of 42 notifications'],
    [{ page: 5, limit: 10, total: 42 }, 'Showing 41 to 42 of 42 notifications'],
    [{ page: 1, limit: 10, total: 0 }, 'Showing 0 to 0 of 0 notifications'],
  ])('[N-29] describes %o as %s', (pagination, expected) => {
    expect(rangeText(pagination, 'notifications')).toBe(expected)
  })
})
