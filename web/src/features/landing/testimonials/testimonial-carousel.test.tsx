import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPages } from '../../../testing/render-pages.tsx'
import { students } from '../content.ts'
import { fakeVideos, fakeVisibility, mockSlideLayout, mockReducedMotion } from '../testing/browser.ts'
import { TestimonialCarousel } from './testimonial-carousel.tsx'

let films: ReturnType<typeof fakeVideos>
let sight: ReturnType<typeof fakeVisibility>

const show = () => {
  renderPages({ '/': <TestimonialCarousel title="Students" testimonials={students} /> }, '/')
  return userEvent.setup()
}
const film = (n: number): HTMLVideoElement => {
  const found = document.querySelectorAll('video')[n]
  if (!found) throw new Error(`There is no film ${n}`)
  return found
}
const position = () => screen.getByText(/^\d of \d$/).textContent

describe('a testimonial carousel', () => {
  beforeEach(() => {
    films = fakeVideos()
    sight = fakeVisibility()
    mockSlideLayout()
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })

  it('[H-29 H-30] plays the selected clip once 70 percent of it is visible, and pauses when less is', () => {
    show()
    // Not the selected one.
    sight.show(film(1), 1)
    expect(films.isPlaying(film(1))).toBe(false)
    sight.show(film(0), 0.69)
    expect(films.isPlaying(film(0))).toBe(false)
    sight.show(film(0), 0.7)
    expect(films.isPlaying(film(0))).toBe(true)
    sight.show(film(0), 0.5)
    expect(films.isPlaying(film(0))).toBe(false)
  })

  it('[H-31] shows the next clip after the end of one, and the first after the last', async () => {
    show()
    for (const n of [0, 1, 2]) {
      sight.show(film(n), 1)
      await waitFor(() => expect(films.isPlaying(film(n))).toBe(true))
      expect(position()).toBe(`${n + 1} of 3`)
      films.end(film(n))
    }
    expect(position()).toBe('1 of 3')
  })

  it('pauses and plays by its button', async () => {
    const user = show()
    sight.show(film(0), 1)
    await user.click(screen.getByRole('button', { name: 'Pause clips' }))
    expect(films.isPlaying(film(0))).toBe(false)
    await user.click(screen.getByRole('button', { name: 'Play clips' }))
    expect(films.isPlaying(film(0))).toBe(true)
    sight.show(film(0), 0.2)
    expect(films.isPlaying(film(0))).toBe(false)
  })

  it('does not play with reduced motion until it is started', async () => {
    mockReducedMotion(true)
    const user = show()
    sight.show(film(0), 1)
    expect(films.isPlaying(film(0))).toBe(false)
    await user.click(screen.getByRole('button', { name: 'Play clips' }))
    expect(films.isPlaying(film(0))).toBe(true)
  })

  it('shows Play if the browser blocks playback', async () => {
    films.refuse()
    show()
    sight.show(film(0), 1)
    expect(await screen.findByRole('button', { name: 'Play clips' })).not.toBeNull()
  })

  it('[H-8] is muted and inline, and has captions, a poster and fixed dimensions', async () => {
    show()
    await act(async () => {})
    const first = film(0)
    expect(first.muted).toBe(true)
    expect(first.hasAttribute('playsinline')).toBe(true)
    expect(first.getAttribute('poster')).toBe('/media/student-mechanical.svg')
    expect(first.querySelector('track')?.getAttribute('kind')).toBe('captions')
    // The text is beside the clip.
    expect(first.querySelector('track')?.hasAttribute('default')).toBe(false)
    expect([first.getAttribute('width'), first.getAttribute('height')]).toEqual(['480', '600'])
    expect(screen.getByText('My degree is in machines. Now I can read the data that they leave behind.')).not.toBeNull()
  })
})
