import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useLessMotion } from '../../../lib/use-media-query.ts'
import { CarouselControls, Slides, Viewport } from '../carousel/slides.tsx'
import { useSlides } from '../carousel/use-slides.ts'
import type { Testimonial } from '../content.ts'
import { Clip, type Playback } from './clip.tsx'

const Head = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  marginBottom: theme.spacing(4),
  '& h3': { ...theme.typography.h2, margin: 0 },
}))

const Slide = styled('figure')(({ theme }) => ({
  margin: 0,
  '& blockquote': {
    ...theme.typography.h2,
    margin: theme.spacing(5, 0, 3),
    fontWeight: 600,
    textWrap: 'pretty',
  },
  '& figcaption': { color: theme.vars.palette.text.secondary, '& strong': { color: theme.vars.palette.text.primary } },
  [theme.breakpoints.between('sm', 'lg')]: { '& blockquote': { ...theme.typography.h3 } },
  [theme.breakpoints.up('lg')]: {
    display: 'grid',
    gridTemplateColumns: '3fr 2fr',
    gridTemplateRows: '1fr auto',
    columnGap: theme.spacing(6),
    '& video': { gridRow: '1 / span 2' },
    '& blockquote': { margin: 0, alignSelf: 'end' },
    '& figcaption': { alignSelf: 'end', marginTop: theme.spacing(4) },
  },
}))

type ReelProps = { readonly title: string; readonly testimonials: readonly Testimonial[] }

/** Clips in sequence: when one has ended, the next is selected. */
export const Reel = ({ title, testimonials }: ReelProps) => {
  const wantsLessMotion = useLessMotion()
  const { viewport, selected, next, previous } = useSlides(wantsLessMotion)
  const [choice, setChoice] = useState<Playback['choice']>('none')
  const isPlaying = choice === 'play' || (choice === 'none' && !wantsLessMotion)
  return (
    <section aria-roledescription="carousel" aria-label={`${title} in their own words`}>
      <Head>
        <h3>{title}</h3>
        <CarouselControls
          selected={selected}
          count={testimonials.length}
          isPlaying={isPlaying}
          playLabel="Play clips"
          pauseLabel="Pause clips"
          onToggle={() => setChoice(isPlaying ? 'pause' : 'play')}
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
                  onRefused={() => setChoice('pause')}
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
