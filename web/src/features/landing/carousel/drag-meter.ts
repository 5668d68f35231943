import type { UseEmblaCarouselType } from 'embla-carousel-react'
import { slideAfterDrag } from './rules.ts'

type Embla = NonNullable<UseEmblaCarouselType[1]>

const xOf = (event: MouseEvent | TouchEvent): number | undefined =>
  event instanceof MouseEvent ? event.clientX : event.touches[0]?.clientX

const moves = ['mousemove', 'touchmove'] as const

/**
 * Embla decides by the force of a swipe; here the distance counts. So a drag is measured beside it, and where it leads is said
 * again when it ends.
 */
export const dragMeter = () => {
  let end: (() => void) | null = null
  return {
    begin: (api: Embla, event: MouseEvent | TouchEvent) => {
      const fromX = xOf(event) ?? 0
      const from = api.selectedScrollSnap()
      let x = fromX
      const onMove = (moved: MouseEvent | TouchEvent) => {
        x = xOf(moved) ?? x
      }
      for (const move of moves) window.addEventListener(move, onMove, { capture: true, passive: true })
      end = () => {
        for (const move of moves) window.removeEventListener(move, onMove, { capture: true })
        api.scrollTo(slideAfterDrag(from, x - fromX, api.scrollSnapList().length))
      }
    },
    end: () => {
      end?.()
      end = null
    },
  }
}
