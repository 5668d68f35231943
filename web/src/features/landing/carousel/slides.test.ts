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

describe('a carousel moves on by itself', () => {
  it('[H-37] every 3 seconds while nobody minds', () => {
    expect(intervalMs).toBe(3_000)
    expect(shouldAdvance(unattended)).toBe(true)
  })

  it.each(['isHovered', 'isFocused', 'isDragged'] as const)('but not while it %s, even if asked to play', (held) => {
    expect(shouldAdvance({ ...unattended, [held]: true })).toBe(false)
    expect(shouldAdvance({ ...unattended, [held]: true, choice: 'play' })).toBe(false)
  })

  it('not after it was stopped, and where less motion is wanted only when asked to', () => {
    expect(shouldAdvance({ ...unattended, choice: 'pause' })).toBe(false)
    expect(shouldAdvance({ ...unattended, wantsLessMotion: true })).toBe(false)
    expect(shouldAdvance({ ...unattended, wantsLessMotion: true, choice: 'play' })).toBe(true)
  })

  it('and its button says what was chosen, not what holds it at the moment', () => {
    expect(isPlaying({ wantsLessMotion: false, choice: 'none' })).toBe(true)
    expect(isPlaying({ wantsLessMotion: true, choice: 'none' })).toBe(false)
    expect(isPlaying({ wantsLessMotion: true, choice: 'play' })).toBe(true)
  })
})

describe('a drag', () => {
  it('[H-28 H-37] turns the page from 50 px on, either way, round the ends', () => {
    expect(swipeThresholdPx).toBe(50)
    expect(slideAfterDrag(1, -49, 5)).toBe(1)
    expect(slideAfterDrag(1, -50, 5)).toBe(2)
    expect(slideAfterDrag(1, 50, 5)).toBe(0)
    expect(slideAfterDrag(4, -80, 5)).toBe(0)
    expect(slideAfterDrag(0, 80, 5)).toBe(4)
  })

  it('leads to a neighbor or back, and there and back again', () => {
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
