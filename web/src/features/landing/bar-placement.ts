import { useEffect, useState } from 'react'

/** The bar is in its place above the page, scrolled out of view, or over the page. */
export type BarPlacement = 'top' | 'hidden' | 'floating'

type ScrolledBar = {
  readonly placement: BarPlacement
  /** The position from which the distance in the opposite direction is measured, in px. */
  readonly turnY: number
  /** The lowest position when the page was last scrolled; undefined before that. */
  readonly maxY?: number
}

export const atTop: ScrolledBar = { placement: 'top', turnY: 0 }

/** The height that the bar loses when it leaves its place, in px. */
export const barSlackPx = 8

/** A shorter movement is not a change of direction, in px. */
const turnPx = 8

/** The bar hides only once the page has moved by its height, in px. */
const barPx = 72

/** The placement of the bar after the page was scrolled to `y`. `maxY` is the lowest position without a bounce. */
export const followScroll = (bar: ScrolledBar, y: number, maxY: number): ScrolledBar => {
  const { placement, turnY } = bar
  const reached = Math.max(0, Math.min(y, maxY))
  if (reached <= barSlackPx) return { placement: 'top', turnY: reached, maxY }
  // A section above was rendered and has another height than estimated: the browser moves the page, not the reader.
  if (bar.maxY !== undefined && bar.maxY !== maxY) return { placement, turnY: reached, maxY }
  if (placement === 'hidden') {
    const lowest = Math.max(turnY, reached)
    const hasTurned = lowest - reached > turnPx
    return { placement: hasTurned ? 'floating' : 'hidden', turnY: hasTurned ? reached : lowest, maxY }
  }
  const highest = Math.min(turnY, reached)
  const isLeaving = reached - highest > turnPx && reached > barPx
  return { placement: isLeaving ? 'hidden' : placement, turnY: isLeaving ? reached : highest, maxY }
}

/** The placement of the bar while the page scrolls. */
export const useBarPlacement = (): BarPlacement => {
  const [placement, setPlacement] = useState(atTop.placement)
  useEffect(() => {
    let bar = atTop
    const onScroll = () => {
      bar = followScroll(bar, window.scrollY, document.documentElement.scrollHeight - window.innerHeight)
      setPlacement(bar.placement)
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => window.removeEventListener('scroll', onScroll)
  }, [])
  return placement
}
