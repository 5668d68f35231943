import { styled } from '@mui/material/styles'
import Autoplay from 'embla-carousel-autoplay'
import { useEffect, useState, type ReactNode } from 'react'
import {
  shouldAdvance,
  CarouselControls,
  intervalMs,
  isPlaying,
  Slides,
  useLessMotion,
  useSlides,
  Viewport,
  type AutoplayConditions,
} from './slides.tsx'

/** Screen readers read the controls before the slides; they are shown below them. */
const Region = styled('section')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column-reverse',
  gap: theme.spacing(4),
}))

/** The plugin is only a timer: slides.tsx decides when it runs. */
const timer = () => Autoplay({ delay: intervalMs, playOnInit: false, stopOnInteraction: true, stopOnFocusIn: false })

/** Starts and stops the timer, also after Embla has measured the slides again. */
const useTimer = (api: ReturnType<typeof useSlides>['api'], runs: boolean) => {
  useEffect(() => {
    if (!api) return undefined
    const apply = () => {
      const autoplay = api.plugins().autoplay
      // With a single slide the plugin is never initialized.
      if (api.scrollSnapList().length <= 1) return
      if (runs) autoplay?.play()
      else autoplay?.stop()
    }
    // Every slide is shown for the whole interval, however it was selected.
    const restart = () => api.plugins().autoplay?.reset()
    apply()
    api.on('reInit', apply).on('select', restart)
    return () => {
      api.off('reInit', apply).off('select', restart)
    }
  }, [api, runs])
}

type CarouselProps<Item> = {
  readonly label: string
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly nameOf: (item: Item) => string
  /** A CSS width. */
  readonly slideWidth: string
  readonly children: (item: Item) => ReactNode
}

/** Slides that advance automatically unless the reader interacts with them, after the W3C's carousel pattern. */
export const Carousel = <Item,>({ label, items, keyOf, nameOf, slideWidth, children }: CarouselProps<Item>) => {
  const wantsLessMotion = useLessMotion()
  const [plugins] = useState(() => [timer()])
  const { viewport, api, isDragged, selected, count, next, previous } = useSlides(wantsLessMotion, plugins)
  const [isHovered, setHovered] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const [choice, setChoice] = useState<AutoplayConditions['choice']>('none')
  const runs = shouldAdvance({ isHovered, isFocused, isDragged, wantsLessMotion, choice })
  useTimer(api, runs)
  const playing = isPlaying({ wantsLessMotion, choice })
  const canMove = count > 1

  return (
    <Region
      aria-roledescription="carousel"
      aria-label={label}
      // A tap leaves focus and an emulated pointer on its button; neither means that the reader is still there.
      onPointerEnter={({ pointerType }) => setHovered(pointerType !== 'touch')}
      onPointerLeave={() => setHovered(false)}
      onFocus={({ target }) => setFocused(target.matches(':focus-visible'))}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setFocused(false)
      }}
    >
      <CarouselControls
        selected={selected}
        count={count}
        isPlaying={playing}
        playLabel="Start moving"
        pauseLabel="Stop moving"
        onToggle={() => setChoice(playing ? 'pause' : 'play')}
        onPrevious={previous}
        onNext={next}
      />
      <Viewport ref={viewport} data-movable={canMove}>
        <Slides aria-live={runs ? 'off' : 'polite'} aria-atomic="false">
          {items.map((item, n) => (
            <li
              key={keyOf(item)}
              aria-roledescription="slide"
              aria-label={`${n + 1} of ${items.length}: ${nameOf(item)}`}
              style={{ flexBasis: slideWidth }}
            >
              {children(item)}
            </li>
          ))}
        </Slides>
      </Viewport>
    </Region>
  )
}
