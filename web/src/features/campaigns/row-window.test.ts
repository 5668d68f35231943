import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { overscanRows, rowWindow, scrollTopFor } from './row-window.ts'

const rowPx = 48
const heightPx = 240

describe('the row window of a long list', () => {
  it('starts with the visible rows and a few more', () => {
    expect(rowWindow(10_000, rowPx, 0, heightPx)).toEqual({
      first: 0,
      end: 5 + overscanRows,
      offsetPx: 0,
      totalPx: 480_000,
    })
  })

  it('contains every visible row at any scroll position, and few more', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.nat(600_000), (count, scrollTop) => {
        const { first, end, offsetPx } = rowWindow(count, rowPx, scrollTop, heightPx)
        const top = Math.min(scrollTop, Math.max(0, count * rowPx - heightPx))
        expect(first * rowPx).toBe(offsetPx)
        expect(offsetPx).toBeLessThanOrEqual(top)
        expect(end).toBeLessThanOrEqual(count)
        expect(end === count || end * rowPx >= top + heightPx).toBe(true)
        expect(end - first).toBeLessThanOrEqual(heightPx / rowPx + 1 + 2 * overscanRows)
      }),
    )
  })

  it('scrolls as little as needed to show a row', () => {
    expect(scrollTopFor(2, rowPx, 0, heightPx)).toBe(0)
    expect(scrollTopFor(5, rowPx, 0, heightPx)).toBe(48)
    expect(scrollTopFor(3, rowPx, 480, heightPx)).toBe(144)
  })
})
