import useEmblaCarousel, { type UseEmblaCarouselType } from 'embla-carousel-react'
import { useEffect, useState } from 'react'
import { slideAfterDrag } from './rules.ts'

type Embla = NonNullable<UseEmblaCarouselType[1]>

const xOf = (event: MouseEvent | TouchEvent): number | undefined =>
  event instanceof MouseEvent ? event.clientX : event.touches[0]?.clientX

const moves = ['mousemove', 'touchmove'] as const

/** Embla decides by the force of a swipe, but here the distance counts: this measures the drag and selects the slide when it ends. */
const dragMeter = () => {
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

type Place = { readonly selected: number; readonly count: number }

type Plugins = Parameters<typeof useEmblaCarousel>[1]

/** A row of slides that can be swiped, and the selected one. `plugins` must keep its identity between renders. */
export const useSlides = (wantsLessMotion: boolean, plugins?: Plugins) => {
  const [drag] = useState(dragMeter)
  const [isDragged, setDragged] = useState(false)
  const [place, setPlace] = useState<Place>({ selected: 0, count: 0 })
  const [viewport, api] = useEmblaCarousel(
    {
      loop: true,
      align: 'start',
      watchDrag: (embla, event) => {
        drag.begin(embla, event)
        return true
      },
    },
    plugins,
  )

  useEffect(() => {
    if (!api) return undefined
    const onPlace = () => setPlace({ selected: api.selectedScrollSnap(), count: api.scrollSnapList().length })
    const onDown = () => setDragged(true)
    const onUp = () => {
      drag.end()
      setDragged(false)
    }
    onPlace()
    api.on('select', onPlace).on('reInit', onPlace).on('pointerDown', onDown).on('pointerUp', onUp)
    return () => {
      api.off('select', onPlace).off('reInit', onPlace).off('pointerDown', onDown).off('pointerUp', onUp)
    }
  }, [api, drag])

  return {
    viewport,
    api,
    isDragged,
    ...place,
    next: () => api?.scrollNext(wantsLessMotion),
    previous: () => api?.scrollPrev(wantsLessMotion),
  }
}
