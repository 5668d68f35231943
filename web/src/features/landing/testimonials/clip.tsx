import { styled } from '@mui/material/styles'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { Testimonial } from '../content.ts'
import { plays, type Playback } from './playback.ts'
import { useVisibleShare } from './use-visible-share.ts'

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
