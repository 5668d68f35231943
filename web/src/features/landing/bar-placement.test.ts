import { describe, expect, it } from 'vitest'
import { atTop, followScroll, type BarPlacement } from './bar-placement.ts'

const maxY = 10_000
const after = (...positions: readonly number[]): readonly BarPlacement[] => {
  let bar = atTop
  return positions.map((y) => (bar = followScroll(bar, y, maxY)).placement)
}

describe('the top bar of the landing page', () => {
  it('hides on scrolling down, returns on scrolling up, and to its place at the top', () => {
    expect(after(40, 120, 900, 700)).toEqual(['top', 'hidden', 'hidden', 'floating'])
    expect(after(900, 700, 60, 0)).toEqual(['hidden', 'floating', 'floating', 'top'])
  })

  it('stays as it is while the page moves by a few pixels, which add up in one direction, or bounces at its ends', () => {
    expect(after(900, 896, 899, 893)).toEqual(['hidden', 'hidden', 'hidden', 'hidden'])
    expect(after(900, 700, 706, 701)).toEqual(['hidden', 'floating', 'floating', 'floating'])
    expect(after(900, 896, 891)).toEqual(['hidden', 'hidden', 'floating'])
    expect(after(maxY, maxY + 80, maxY + 10)).toEqual(['hidden', 'hidden', 'hidden'])
    expect(after(900, 0, -60, 0)).toEqual(['hidden', 'top', 'top', 'top'])
  })

  it('ignores a move of the page while its height changes', () => {
    const scrolled = followScroll(followScroll(atTop, 900, maxY), 700, maxY - 300)
    expect(scrolled.placement).toBe('hidden')
    expect(followScroll(scrolled, 680, maxY - 300).placement).toBe('floating')
  })
})
