import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  shouldAdvance,
  intervalMs,
  isPlaying,
  slideAfterDrag,
  swipeThresholdPx,
  type AutoplayConditions,
} from './slides.tsx'

const unattended: AutoplayConditions = {
  isHovered: false,
  isFocused: false,
  isDragged: false,
  wantsLessMotion: false,
  choice: 'none',
}

describe('a carousel', () => {
  it('[H-25] advances every 3 seconds by default, but not while it is held or after Pause', () => {
    expect(intervalMs).toBe(3_000)
    expect(shouldAdvance(unattended)).toBe(true)
    expect(shouldAdvance({ ...unattended, choice: 'pause' })).toBe(false)
    for (const held of ['isHovered', 'isFocused', 'isDragged'])
      for (const choice of ['none', 'play'] as const)
        expect([held, choice, shouldAdvance({ ...unattended, [held]: true, choice })]).toEqual([held, choice, false])
  })

  it('advances with reduced motion only after Play', () => {
    expect(shouldAdvance({ ...unattended, wantsLessMotion: true })).toBe(false)
    expect(shouldAdvance({ ...unattended, wantsLessMotion: true, choice: 'play' })).toBe(true)
  })

  it('shows the chosen state on its button, even while it is held', () => {
    expect(isPlaying({ wantsLessMotion: false, choice: 'none' })).toBe(true)
    expect(isPlaying({ wantsLessMotion: true, choice: 'none' })).toBe(false)
    expect(isPlaying({ wantsLessMotion: true, choice: 'play' })).toBe(true)
  })
})

describe('a drag', () => {
  it('[H-28] selects another slide from 50 px, in both directions and around the ends', () => {
    expect(swipeThresholdPx).toBe(50)
    expect(slideAfterDrag(1, -49, 5)).toBe(1)
    expect(slideAfterDrag(1, -50, 5)).toBe(2)
    expect(slideAfterDrag(1, 50, 5)).toBe(0)
    expect(slideAfterDrag(4, -80, 5)).toBe(0)
    expect(slideAfterDrag(0, 80, 5)).toBe(4)
  })

  it('selects a neighbor or stays, and a drag back returns', () => {
    const drag = fc
      .record({ count: fc.integer({ min: 1, max: 20 }), movedPx: fc.integer({ min: -2_000, max: 2_000 }) })
      .chain(({ count, movedPx }) =>
        fc.record({ count: fc.constant(count), movedPx: fc.constant(movedPx), from: fc.nat({ max: count - 1 }) }),
      )
    fc.assert(
      fc.property(drag, ({ from, movedPx, count }) => {
        const there = slideAfterDrag(from, movedPx, count)
        expect(there).toBeGreaterThanOrEqual(0)
        expect(there).toBeLessThan(count)
        expect(slideAfterDrag(there, -movedPx, count)).toBe(from)
      }),
    )
  })
})
