import { useEffect, useState } from 'react'

/** Calls when the browser has a moment, or soon where it cannot say. Returns how to call it off. */
const whenIdle = (then: () => void): (() => void) => {
  if ('requestIdleCallback' in window) {
    const turn = requestIdleCallback(then, { timeout: 500 })
    return () => cancelIdleCallback(turn)
  }
  const turn = setTimeout(then, 16)
  return () => clearTimeout(turn)
}

/**
 * How many of a page's sections are there, one more each time the browser has a moment: all of them at once would hold up a
 * slow phone.
 */
export const useTurns = (count: number): number => {
  const [shown, setShown] = useState(1)
  useEffect(() => (shown < count ? whenIdle(() => setShown(shown + 1)) : undefined), [shown, count])
  return shown
}
