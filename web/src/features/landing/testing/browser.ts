import { act } from '@testing-library/react'
import { vi } from 'vitest'

/** Browser features that happy-dom lacks: layout, visibility, video playback and media preferences. */

/** Slides side by side, each as wide as the viewport. */
export const mockSlideLayout = (widthPx = 300) => {
  const isSlide = (element: HTMLElement) => element.getAttribute('aria-roledescription') === 'slide'
  const indexOfSlide = (element: HTMLElement) => [...(element.parentElement?.children ?? [])].indexOf(element)
  const define = (name: 'offsetWidth' | 'offsetHeight' | 'offsetLeft', read: (element: HTMLElement) => number) =>
    vi.spyOn(HTMLElement.prototype, name, 'get').mockImplementation(function offset(this: HTMLElement) {
      return read(this)
    })
  define('offsetWidth', () => widthPx)
  define('offsetHeight', () => 100)
  define('offsetLeft', (element) => (isSlide(element) ? indexOfSlide(element) * widthPx : 0))
  // happy-dom lacks it, so there is nothing to restore.
  Object.defineProperty(HTMLElement.prototype, 'offsetParent', { configurable: true, get: () => document.body })
  // A browser computes a margin even if no style sets one.
  const computed = window.getComputedStyle.bind(window)
  vi.spyOn(window, 'getComputedStyle').mockImplementation((element, pseudo) => {
    const style = computed(element, pseudo)
    const valueOf = style.getPropertyValue.bind(style)
    style.getPropertyValue = (name) => valueOf(name) || (name.startsWith('margin-') ? '0px' : '')
    return style
  })
}

/** Focus set by a click or tap does not match `:focus-visible`. */
export const mockFocusVisible = () => {
  let isByPointer = false
  const onInput = ({ type }: Event) => {
    isByPointer = type === 'pointerdown'
  }
  for (const type of ['pointerdown', 'keydown']) document.addEventListener(type, onInput, { capture: true })
  const matches = Element.prototype.matches
  vi.spyOn(Element.prototype, 'matches').mockImplementation(function isMatch(this: Element, selector) {
    return matches.call(this, selector) && !(selector === ':focus-visible' && isByPointer)
  })
}

export const mockReducedMotion = (isPreferred: boolean) =>
  vi.stubGlobal('matchMedia', (media: string) =>
    Object.assign(new EventTarget(), {
      media,
      matches: isPreferred && media.includes('reduce'),
      addListener: () => {},
      removeListener: () => {},
    }),
  )

/** Reports the visible share of an element to its observers. */
export const fakeVisibility = () => {
  const observers = new Set<{ readonly report: (element: Element, share: number) => void }>()
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      private readonly observed = new Set<Element>()
      private readonly callback: IntersectionObserverCallback

      constructor(callback: IntersectionObserverCallback) {
        this.callback = callback
        observers.add(this)
      }
      report(target: Element, intersectionRatio: number) {
        // The parts of an entry that the page reads.
        const entry = { target, intersectionRatio, isIntersecting: intersectionRatio > 0 } as IntersectionObserverEntry
        if (this.observed.has(target)) this.callback([entry], this as unknown as IntersectionObserver)
      }
      observe(element: Element) {
        this.observed.add(element)
      }
      unobserve(element: Element) {
        this.observed.delete(element)
      }
      disconnect() {
        observers.delete(this)
      }
    },
  )
  return {
    show: (element: Element, share: number) =>
      act(() => {
        for (const observer of observers) observer.report(element, share)
      }),
  }
}

/** Videos that only track whether they are playing. */
export const fakeVideos = () => {
  const playing = new Set<HTMLMediaElement>()
  let isAllowed = true
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(async function play(this: HTMLMediaElement) {
    if (!isAllowed) throw new DOMException('Not now', 'NotAllowedError')
    playing.add(this)
  })
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(function pause(this: HTMLMediaElement) {
    playing.delete(this)
  })
  return {
    isPlaying: (video: HTMLMediaElement) => playing.has(video),
    refuse: () => {
      isAllowed = false
    },
    end: (video: HTMLMediaElement) =>
      act(() => {
        playing.delete(video)
        video.dispatchEvent(new Event('ended'))
      }),
  }
}
