import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPages } from '../../../testing/render-pages.tsx'
import { fakeClock } from '../../../testing/fake-clock.ts'
import { mockSlideLayout, mockReducedMotion, mockFocusVisible } from '../testing/browser.ts'
import { Carousel } from './carousel.tsx'

let clock: ReturnType<typeof fakeClock>
const names = ['Hill', 'Lake', 'Coast', 'Plain', 'Delta']

const show = async (items = names) => {
  renderPages(
    {
      '/': (
        <Carousel label="Partners" items={items} keyOf={(name) => name} nameOf={(name) => name} slideWidth="100%">
          {(name) => <a href={`#${name}`}>{name}</a>}
        </Carousel>
      ),
    },
    '/',
  )
  await clock.flush()
}

const carousel = () => screen.getByRole('region', { name: 'Partners' })
const position = () => screen.getByText(/^\d of \d$/).textContent
const slide = () => screen.getByText('Hill')

const drag = async (byPx: number) => {
  fireEvent.mouseDown(slide(), { button: 0, clientX: 200, clientY: 50 })
  fireEvent.mouseMove(document, { clientX: 200 + byPx / 2, clientY: 50 })
  fireEvent.mouseMove(document, { clientX: 200 + byPx, clientY: 50 })
}
const releaseDrag = () => fireEvent.mouseUp(document, { button: 0 })

describe('a carousel', () => {
  beforeEach(() => {
    clock = fakeClock()
    mockSlideLayout()
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })

  it('[H-25] shows the next slide every 3 seconds, and the first after the last', async () => {
    await show()
    expect(position()).toBe('1 of 5')
    await clock.advance(2_900)
    expect(position()).toBe('1 of 5')
    await clock.advance(200)
    expect(position()).toBe('2 of 5')
    await clock.advance(12_000)
    expect(position()).toBe('1 of 5')
  })

  it('[H-26] pauses under the pointer or with keyboard focus, and continues afterwards', async () => {
    await show()
    await clock.user.hover(carousel())
    await clock.advance(10_000)
    expect(position()).toBe('1 of 5')
    await clock.user.unhover(carousel())
    await clock.advance(3_100)
    expect(position()).toBe('2 of 5')

    await clock.user.tab()
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Stop moving')
    await clock.advance(10_000)
    expect(position()).toBe('2 of 5')
  })

  it('advances 3 seconds after a tap', async () => {
    mockFocusVisible()
    await show()
    await clock.advance(2_000)
    await clock.user.pointer([{ keys: '[TouchA]', target: screen.getByRole('button', { name: 'Next' }) }])
    expect(position()).toBe('2 of 5')
    await clock.advance(2_900)
    expect(position()).toBe('2 of 5')
    await clock.advance(200)
    expect(position()).toBe('3 of 5')
  })

  it('[H-27] pauses while it is dragged, and advances 3 seconds after the release', async () => {
    await show()
    await drag(-20)
    await clock.advance(10_000)
    expect(position()).toBe('1 of 5')
    releaseDrag()
    await clock.advance(3_100)
    expect(position()).toBe('2 of 5')
  })

  it('[H-28] shows another slide after a drag far enough', async () => {
    await show()
    for (const [byPx, expected] of [
      [-40, '1 of 5'],
      [-60, '2 of 5'],
      [40, '2 of 5'],
      [60, '1 of 5'],
      [60, '5 of 5'],
    ] as const) {
      await drag(byPx)
      releaseDrag()
      await clock.flush()
      expect([byPx, position()]).toEqual([byPx, expected])
    }
  })

  it('stops when paused, until it is started again', async () => {
    await show()
    await clock.user.click(screen.getByRole('button', { name: 'Stop moving' }))
    await clock.user.unhover(carousel())
    await clock.user.click(document.body)
    await clock.advance(10_000)
    expect(position()).toBe('1 of 5')
    await clock.user.click(screen.getByRole('button', { name: 'Start moving' }))
    await clock.user.click(document.body)
    await clock.advance(3_100)
    expect(position()).toBe('2 of 5')
  })

  it('does not advance with reduced motion, unless it is started', async () => {
    mockReducedMotion(true)
    await show()
    await clock.advance(10_000)
    expect(position()).toBe('1 of 5')
    expect(screen.getByRole('button', { name: 'Start moving' })).not.toBeNull()
    await clock.user.click(screen.getByRole('button', { name: 'Next' }))
    expect(position()).toBe('2 of 5')
  })

  it('moves by its buttons, and has the labels of the carousel pattern', async () => {
    await show()
    await clock.user.click(screen.getByRole('button', { name: 'Previous' }))
    expect(position()).toBe('5 of 5')
    await clock.user.click(screen.getByRole('button', { name: 'Next' }))
    expect(position()).toBe('1 of 5')
    expect(carousel().getAttribute('aria-roledescription')).toBe('carousel')
    expect(screen.getByRole('listitem', { name: '2 of 5: Lake' }).getAttribute('aria-roledescription')).toBe('slide')
  })

  it('has no controls with a single slide', async () => {
    await show(['Hill'])
    await clock.advance(10_000)
    expect(screen.queryByRole('button')).toBeNull()
    expect(slide()).not.toBeNull()
  })
})
