import useEmblaCarousel from 'embla-carousel-react'
import { useEffect, useState } from 'react'
import { dragMeter } from './drag-meter.ts'

type Place = { readonly selected: number; readonly count: number }

type Plugins = Parameters<typeof useEmblaCarousel>[1]

/** A row of slides that can be swiped, and where it stands. `plugins` must be the same between renders. */
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
