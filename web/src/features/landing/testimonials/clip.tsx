import { styled } from '@mui/material/styles'
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import type { Testimonial } from '../content.ts'

/** How much of a clip must be on the screen for it to play by itself. */
const visibleShare = 0.7

export type Playback = {
  /** Whether it is the slide that is shown. */
  readonly isCurrent: boolean
  /** How much of it is on the screen, 0 to 1. */
  readonly share: number
  readonly wantsLessMotion: boolean
  readonly choice: 'none' | 'play' | 'pause'
}

/** A clip plays while it is seen, and stops when it is not, whatever was chosen. */
const plays = ({ isCurrent, share, wantsLessMotion, choice }: Playback): boolean => {
  if (!isCurrent || share < visibleShare) return false
  return choice === 'play' || (choice === 'none' && !wantsLessMotion)
}

/** How much of an element is on the screen, as exactly as the rule for playing asks. */
const useVisibleShare = (element: RefObject<Element | null>): number => {
  const [share, setShare] = useState(0)
  useEffect(() => {
    if (!element.current) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        const latest = entries.at(-1)
        if (latest) setShare(latest.intersectionRatio)
      },
      { threshold: [0, visibleShare] },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return share
}

const Film = styled('video')(({ theme }) => ({
  display: 'block',
  width: '100%',
  height: 'auto',
  aspectRatio: '4 / 5',
  maxHeight: '72svh',
  objectFit: 'cover',
  background: theme.vars.palette.portal.accentSoft,
}))

type ClipProps = Omit<Playback, 'share'> & {
  readonly testimonial: Testimonial
  readonly onEnd: () => void
  /** The browser does not let it play, to save power for instance. */
  readonly onRefused: () => void
}

/** A clip without sound. It is fetched when it plays for the first time; until then its portrait stands there. */
export const Clip = ({ testimonial, onEnd, onRefused, ...playback }: ClipProps) => {
  const film = useRef<HTMLVideoElement>(null)
  const share = useVisibleShare(film)
  const shouldPlay = plays({ ...playback, share })
  const address = `/media/${testimonial.clip}`
  // The clip is not to start over because a callback is new.
  const refuse = useEffectEvent(onRefused)

  useEffect(() => {
    const video = film.current
    if (!video) return
    if (!shouldPlay) {
      video.pause()
      return
    }
    const play = async () => {
      try {
        await video.play()
      } catch (error) {
        // A pause that overtakes the start is no refusal.
        if (error instanceof DOMException && error.name === 'NotAllowedError') refuse()
        else if (!(error instanceof DOMException && error.name === 'AbortError'))
          console.warn(`${address} does not play`, error)
      }
    }
    void play()
  }, [shouldPlay, address])

  return (
    <Film
      ref={film}
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
      {/* Not shown at first: the page says the same beside the clip. */}
      <track kind="captions" src={`${address}.vtt`} srcLang="en" label="English" />
    </Film>
  )
}
