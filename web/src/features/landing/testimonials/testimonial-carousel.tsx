import { styled } from '@mui/material/styles'
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import {
  CarouselControls,
  isPlaying,
  Slides,
  useLessMotion,
  useSlides,
  Viewport,
  type AutoplayConditions,
} from '../carousel/slides.tsx'
import type { Testimonial } from '../content.ts'

/** The visible share from which a clip plays. */
const playThreshold = 0.7

type Playback = Pick<AutoplayConditions, 'wantsLessMotion' | 'choice'> & {
  /** Whether its slide is selected. */
  readonly isCurrent: boolean
  /** The visible share of the clip, from 0 to 1. */
  readonly share: number
}

/** A clip plays only while it is visible, even if the user has pressed Play. */
const shouldPlayClip = ({ isCurrent, share, ...rest }: Playback): boolean =>
  isCurrent && share >= playThreshold && isPlaying(rest)

/** The visible share of an element, updated where it crosses the threshold for playing. */
const useVisibleShare = (element: RefObject<Element | null>): number => {
  const [share, setShare] = useState(0)
  useEffect(() => {
    if (!element.current) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        const latest = entries.at(-1)
        if (latest) setShare(latest.intersectionRatio)
      },
      { threshold: [0, playThreshold] },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return share
}

const Video = styled('video')(({ theme }) => ({
  display: 'block',
  width: '100%',
  height: 'auto',
  aspectRatio: '4 / 5',
  maxHeight: ['72vh', '72svh'],
  objectFit: 'cover',
  background: theme.vars.palette.portal.accentSoft,
}))

type ClipProps = Omit<Playback, 'share'> & {
  readonly testimonial: Testimonial
  readonly onEnd: () => void
  /** The browser blocks playback, for example to save power. */
  readonly onBlocked: () => void
}

/** A silent clip. It is fetched when it plays for the first time; until then its poster is shown. */
const Clip = ({ testimonial, onEnd, onBlocked, ...playback }: ClipProps) => {
  const video = useRef<HTMLVideoElement>(null)
  const share = useVisibleShare(video)
  const shouldPlay = shouldPlayClip({ ...playback, share })
  const address = `/media/${testimonial.clip}`
  // A new callback must not restart the clip.
  const reportBlocked = useEffectEvent(onBlocked)

  useEffect(() => {
    const element = video.current
    if (!element) return
    if (!shouldPlay) {
      element.pause()
      return
    }
    const play = async () => {
      try {
        await element.play()
      } catch (error) {
        // A pause before the start of playback causes an AbortError.
        if (error instanceof DOMException && error.name === 'NotAllowedError') reportBlocked()
        else if (!(error instanceof DOMException && error.name === 'AbortError'))
          console.warn(`The clip ${address} cannot be played`, error)
      }
    }
    void play()
  }, [shouldPlay, address])

  return (
    <Video
      ref={video}
      aria-label={`${testimonial.name}, ${testimonial.role}`}
      poster={`${address}.svg`}
      width={480}
      height={600}
      preload="none"
      muted
      playsInline
      disablePictureInPicture
      onEnded={onEnd}
    >
      <source src={`${address}.webm`} type="video/webm" />
      <source src={`${address}.mp4`} type="video/mp4" />
      {/* Off by default: the page shows the same text beside the clip. */}
      <track kind="captions" src={`${address}.vtt`} srcLang="en" label="English" />
    </Video>
  )
}

const Head = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  marginBottom: theme.spacing(4),
  '& h3': { ...theme.typography.h2, margin: 0 },
}))

/** The clip beside the words: on a phone, where it would fill the screen, and on a desktop. */
const sideBySide = { display: 'grid', gridTemplateRows: '1fr auto', '& video': { gridRow: '1 / span 2' } } as const

const Slide = styled('figure')(({ theme }) => ({
  margin: 0,
  '& blockquote': {
    ...theme.typography.h2,
    margin: theme.spacing(5, 0, 3),
    fontWeight: 600,
    textWrap: 'pretty',
  },
  '& figcaption': { color: theme.vars.palette.text.secondary, '& strong': { color: theme.vars.palette.text.primary } },
  [theme.breakpoints.down('sm')]: {
    ...sideBySide,
    gridTemplateColumns: '2fr 3fr',
    columnGap: theme.spacing(4),
    '& blockquote': { ...theme.typography.h3, margin: 0 },
    '& figcaption': { marginTop: theme.spacing(3) },
  },
  [theme.breakpoints.between('sm', 'lg')]: { '& blockquote': { ...theme.typography.h3 } },
  [theme.breakpoints.up('lg')]: {
    ...sideBySide,
    gridTemplateColumns: '3fr 2fr',
    columnGap: theme.spacing(6),
    '& blockquote': { margin: 0, alignSelf: 'end' },
    '& figcaption': { alignSelf: 'end', marginTop: theme.spacing(4) },
  },
}))

type TestimonialCarouselProps = { readonly title: string; readonly testimonials: readonly Testimonial[] }

/** Clips in sequence: when one has ended, the next is selected. */
export const TestimonialCarousel = ({ title, testimonials }: TestimonialCarouselProps) => {
  const wantsLessMotion = useLessMotion()
  const { viewport, selected, next, previous } = useSlides(wantsLessMotion)
  const [choice, setChoice] = useState<Playback['choice']>('none')
  const playing = isPlaying({ wantsLessMotion, choice })
  return (
    <section aria-roledescription="carousel" aria-label={`${title} in their own words`}>
      <Head>
        <h3>{title}</h3>
        <CarouselControls
          selected={selected}
          count={testimonials.length}
          isPlaying={playing}
          playLabel="Play clips"
          pauseLabel="Pause clips"
          onToggle={() => setChoice(playing ? 'pause' : 'play')}
          onPrevious={previous}
          onNext={next}
        />
      </Head>
      <Viewport ref={viewport} data-movable>
        <Slides data-spaced>
          {testimonials.map((testimonial, n) => (
            <li
              key={testimonial.clip}
              aria-roledescription="slide"
              aria-label={`${n + 1} of ${testimonials.length}`}
              style={{ flexBasis: '100%' }}
              inert={n !== selected}
            >
              <Slide>
                <Clip
                  testimonial={testimonial}
                  isCurrent={n === selected}
                  wantsLessMotion={wantsLessMotion}
                  choice={choice}
                  onEnd={next}
                  onBlocked={() => setChoice('pause')}
                />
                <blockquote>{testimonial.lines.join(' ')}</blockquote>
                <figcaption>
                  <strong>{testimonial.name}</strong>
                  <br />
                  {testimonial.role}
                </figcaption>
              </Slide>
            </li>
          ))}
        </Slides>
      </Viewport>
    </section>
  )
}
