import { styled } from '@mui/material/styles'
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import type { Testimonial } from '../content.ts'

/** The visible share from which a clip plays. */
const visibleShare = 0.7

export type Playback = {
  /** Whether its slide is selected. */
  readonly isCurrent: boolean
  /** The visible share of the clip, from 0 to 1. */
  readonly share: number
  readonly wantsLessMotion: boolean
  readonly choice: 'none' | 'play' | 'pause'
}

/** A clip plays only while it is visible, whatever the reader chose. */
const plays = ({ isCurrent, share, wantsLessMotion, choice }: Playback): boolean => {
  if (!isCurrent || share < visibleShare) return false
  return choice === 'play' || (choice === 'none' && !wantsLessMotion)
}

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
  /** The browser refuses to play, for instance to save power. */
  readonly onRefused: () => void
}

/** A silent clip. It is fetched when it plays for the first time; until then its portrait is shown. */
export const Clip = ({ testimonial, onEnd, onRefused, ...playback }: ClipProps) => {
  const film = useRef<HTMLVideoElement>(null)
  const share = useVisibleShare(film)
  const shouldPlay = plays({ ...playback, share })
  const address = `/media/${testimonial.clip}`
  // A new callback must not restart the clip.
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
        // A pause before playback has started is not a refusal.
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
      {/* Off by default: the page shows the same text beside the clip. */}
      <track kind="captions" src={`${address}.vtt`} srcLang="en" label="English" />
    </Film>
  )
}
