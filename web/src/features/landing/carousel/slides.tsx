import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import useEmblaCarousel, { type UseEmblaCarouselType } from 'embla-carousel-react'
import { useEffect, useState } from 'react'
import { useMedia } from '../../../lib/use-media.ts'
import { ChevronLeftIcon, ChevronRightIcon, PauseIcon, PlayIcon } from '../../../ui/icons.tsx'

/** How long a slide is shown. */
export const intervalMs = 3_000
/** The shortest drag that selects another slide. */
export const swipeThresholdPx = 50

/** The conditions that decide whether the slides advance. */
export type AutoplayConditions = {
  readonly isHovered: boolean
  readonly isFocused: boolean
  readonly isDragged: boolean
  readonly wantsLessMotion: boolean
  /** The last press of the play button, if any. */
  readonly choice: 'none' | 'play' | 'pause'
}

/** Whether the button shows Pause. Hovering, focus and drags do not change it. */
export const isPlaying = ({
  wantsLessMotion,
  choice,
}: Pick<AutoplayConditions, 'wantsLessMotion' | 'choice'>): boolean =>
  choice === 'play' || (choice === 'none' && !wantsLessMotion)

/**
 * The slides do not advance while they are hovered, focused or dragged, nor with reduced motion unless the user presses Play.
 */
export const shouldAdvance = ({ isHovered, isFocused, isDragged, ...rest }: AutoplayConditions): boolean =>
  !isHovered && !isFocused && !isDragged && isPlaying(rest)

/** The slide to select after a drag: the next (dragged left), the previous (right), or the same. */
export const slideAfterDrag = (from: number, movedPx: number, count: number): number => {
  if (count <= 0 || Math.abs(movedPx) < swipeThresholdPx) return from
  const step = movedPx < 0 ? 1 : -1
  return (from + step + count) % count
}

const lessMotion = '(prefers-reduced-motion: reduce)'

/** Whether the user prefers reduced motion. Rerenders on a change. */
export const useLessMotion = (): boolean => useMedia(lessMotion)

type Embla = NonNullable<UseEmblaCarouselType[1]>

const xOf = (event: MouseEvent | TouchEvent): number | undefined =>
  event instanceof MouseEvent ? event.clientX : event.touches[0]?.clientX

const moves = ['mousemove', 'touchmove'] as const

/** Selects the slide after a drag by its distance, since Embla uses the velocity. */
const createDragTracker = () => {
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

type SlidePosition = { readonly selected: number; readonly count: number }

type Plugins = Parameters<typeof useEmblaCarousel>[1]

/** A row of slides that can be swiped, and the selected one. `plugins` must keep its identity between renders. */
export const useSlides = (wantsLessMotion: boolean, plugins?: Plugins) => {
  const [drag] = useState(createDragTracker)
  const [isDragged, setDragged] = useState(false)
  const [position, setPosition] = useState<SlidePosition>({ selected: 0, count: 0 })
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
    const updatePosition = () => setPosition({ selected: api.selectedScrollSnap(), count: api.scrollSnapList().length })
    const onDown = () => setDragged(true)
    const onUp = () => {
      drag.end()
      setDragged(false)
    }
    updatePosition()
    api.on('select', updatePosition).on('reInit', updatePosition).on('pointerDown', onDown).on('pointerUp', onUp)
    return () => {
      api.off('select', updatePosition).off('reInit', updatePosition).off('pointerDown', onDown).off('pointerUp', onUp)
    }
  }, [api, drag])

  return {
    viewport,
    api,
    isDragged,
    ...position,
    next: () => api?.scrollNext(wantsLessMotion),
    previous: () => api?.scrollPrev(wantsLessMotion),
  }
}

export const Viewport = styled('div')({
  overflow: 'hidden',
  '&[data-movable="true"]': { cursor: 'grab' },
  '&[data-movable="true"]:active': { cursor: 'grabbing' },
})

/** Vertical swipes scroll the page, horizontal ones the carousel. */
export const Slides = styled('ul')(({ theme }) => ({
  display: 'flex',
  listStyle: 'none',
  margin: 0,
  padding: 0,
  touchAction: 'pan-y pinch-zoom',
  '& > li': { flex: '0 0 auto', minWidth: 0 },
  // Space between full-width slides, outside the viewport at both ends.
  '&[data-spaced]': { marginLeft: theme.spacing(-5), '& > li': { paddingLeft: theme.spacing(5) } },
}))

/** Keeps its height without controls, so that nothing moves when they appear. */
const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'flex-end',
  minHeight: theme.portal.sizes.target,
  gap: theme.spacing(1),
  '& .position': {
    ...theme.typography.body2,
    marginRight: theme.spacing(2),
    color: theme.vars.palette.text.secondary,
    fontVariantNumeric: 'tabular-nums',
  },
  '& button': { border: `1px solid ${theme.vars.palette.portal.edge}`, color: theme.vars.palette.text.primary },
}))

type CarouselControlsProps = {
  readonly selected: number
  readonly count: number
  readonly isPlaying: boolean
  readonly playLabel: string
  readonly pauseLabel: string
  readonly onToggle: () => void
  readonly onPrevious: () => void
  readonly onNext: () => void
}

/** Placed before the slides in reading order, so that the movement can be stopped first. */
export const CarouselControls = (props: CarouselControlsProps) => (
  <Bar>
    {props.count > 1 && (
      <>
        <span className="position">{`${props.selected + 1} of ${props.count}`}</span>
        <IconButton aria-label={props.isPlaying ? props.pauseLabel : props.playLabel} onClick={props.onToggle}>
          {props.isPlaying ? <PauseIcon size={20} /> : <PlayIcon size={20} />}
        </IconButton>
        <IconButton aria-label="Previous" onClick={props.onPrevious}>
          <ChevronLeftIcon size={20} />
        </IconButton>
        <IconButton aria-label="Next" onClick={props.onNext}>
          <ChevronRightIcon size={20} />
        </IconButton>
      </>
    )}
  </Bar>
)
