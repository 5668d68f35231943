import { startTransition } from 'react'
import { flushSync } from 'react-dom'

/** How long whoever only looks waits for what is out of sight: what searches a page, or reads it out, needs all of it. */
export const patienceMs = 10_000

/** What somebody does who is about to see more of the page than its first screen. */
const intents = ['scroll', 'wheel', 'touchstart', 'pointerdown', 'keydown', 'focusin'] as const

/** How far ahead of the reader a part is there: the height of a window. */
const nearness = '100% 0%'

/** Calls when the browser has a moment, or soon where it has none or cannot say. Returns how to call it off. */
const whenIdle = (then: () => void): (() => void) => {
  if ('requestIdleCallback' in window) {
    const turn = requestIdleCallback(then, { timeout: 100 })
    return () => cancelIdleCallback(turn)
  }
  const turn = setTimeout(then, 16)
  return () => clearTimeout(turn)
}

const firstOf = (places: Iterable<Element>): Element | undefined => {
  let first: Element | undefined
  for (const place of places)
    if (!first || first.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_PRECEDING) first = place
  return first
}

const leadsWithinPage = ({ target }: Event): boolean =>
  target instanceof Element && target.closest('a[href^="#"]') !== null

/**
 * Lets the parts of a page be shown one at a time, since all at once would hold up a slow phone. Those that the reader comes near
 * to go first; the others wait until the reader has shown an intent, or for a while.
 */
export const createTurns = () => {
  const waiting = new Map<Element, () => void>()
  const near = new Set<Element>()
  let isOpenToAll = false
  let callOff: (() => void) | undefined

  const take = () => {
    callOff = undefined
    const place = firstOf(near) ?? (isOpenToAll ? firstOf(waiting.keys()) : undefined)
    const show = place && waiting.get(place)
    if (show) startTransition(show)
  }
  const schedule = () => {
    if (waiting.size > 0 && (isOpenToAll || near.size > 0)) callOff ??= whenIdle(take)
  }
  const openToAll = () => {
    isOpenToAll = true
    schedule()
  }
  /** For a link to a part of the page, or paper: where a part is depends on all that is above it. */
  const showAll = () => flushSync(() => waiting.forEach((show) => show()))

  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting && waiting.has(target)) near.add(target)
        else near.delete(target)
      }
      schedule()
    },
    { rootMargin: nearness },
  )

  return {
    /** Calls `show` when it is the turn of what stands at `place`; the next comes when this one has left. Returns how to leave. */
    join: (place: Element, show: () => void): (() => void) => {
      waiting.set(place, show)
      observer.observe(place)
      schedule()
      return () => {
        waiting.delete(place)
        near.delete(place)
        observer.unobserve(place)
        schedule()
      }
    },
    /** Follows the reader. Returns how to stop. */
    start: (): (() => void) => {
      const over = new AbortController()
      const options = { signal: over.signal, capture: true, passive: true }
      for (const intent of intents) window.addEventListener(intent, openToAll, { ...options, once: true })
      window.addEventListener('click', (event) => leadsWithinPage(event) && showAll(), options)
      window.addEventListener('beforeprint', showAll, options)
      const timer = setTimeout(openToAll, patienceMs)
      return () => {
        over.abort()
        clearTimeout(timer)
        callOff?.()
        callOff = undefined
      }
    },
  }
}
export type Turns = ReturnType<typeof createTurns>
