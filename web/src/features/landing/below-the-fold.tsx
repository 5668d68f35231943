import { styled } from '@mui/material/styles'
import { useEffect, useState, type ReactNode } from 'react'
import { loadForPage } from '../../lib/load-for-page.ts'
import { loadPart } from '../../lib/load-part.ts'
import { About } from './about.tsx'
import { programs as programWords, testimonialsTitle, universities, whyTitle } from './content.ts'
import { KeyFeatures } from './key-features.tsx'
import { Later, TurnsContext, type Room } from './later.tsx'
import type { parts } from './parts.ts'
import { Questions } from './questions.tsx'
import { Section } from './section.tsx'
import { createTurns } from './turns.ts'
import { useAfterPaint } from './use-after-paint.ts'

type Parts = typeof parts
type PartName = keyof Parts

const rooms: Readonly<Record<PartName, Room>> = {
  week: [420, 520, 360],
  features: [740, 720, 430],
  universities: [212, 212, 228],
  reasons: [2640, 1640, 1410],
  testimonials: [1400, 680, 510],
  contact: [400, 400, 400],
  faq: [580, 540, 550],
}

/** The room of the rest, until the first screen has been painted. */
const RestRoom = styled('div')({ minHeight: '300svh' })

/** What fills the sections, once it is here. */
const useParts = (isTime: boolean): Parts | null => {
  const [loaded, setLoaded] = useState<Parts | null>(null)
  useEffect(() => {
    if (!isTime) return undefined
    let isGone = false
    const load = async () => {
      const { parts: all } = await loadPart(() => loadForPage(() => import('./parts.ts')))
      if (!isGone) setLoaded(all)
    }
    void load()
    return () => {
      isGone = true
    }
  }, [isTime])
  return loaded
}

const Sections = ({ all, programs }: { all: Parts | null; programs: ReactNode }) => {
  const part = (name: PartName) => (
    <Later room={rooms[name]} isLoaded={all !== null}>
      {() => {
        const Part = all?.[name]
        return Part && <Part />
      }}
    </Later>
  )
  return (
    <>
      <About week={part('week')} />
      <KeyFeatures>{part('features')}</KeyFeatures>
      <Section id="programs" title={programWords.title} lead={programWords.text}>
        {programs}
      </Section>
      <Section id="universities" title={universities.title} lead={universities.text} ground="surface">
        {part('universities')}
      </Section>
      <Section id="why" title={whyTitle}>
        {part('reasons')}
      </Section>
      <Section id="testimonials" title={testimonialsTitle} ground="ground">
        {part('testimonials')}
      </Section>
      <Questions contact={part('contact')} faq={part('faq')} />
    </>
  )
}

type BelowTheFoldProps = {
  /** The programme list is another feature's. */
  readonly programs: ReactNode
  /** Whether the reader comes back to a place on this page, which is there only if all above it is. */
  readonly isReturn: boolean
}

/**
 * The landing page after its first screen. The sections with their titles are there as soon as that has been painted, as links
 * lead to them; what fills them comes when the reader does.
 */
export const BelowTheFold = ({ programs, isReturn }: BelowTheFoldProps) => {
  const isPainted = useAfterPaint()
  const all = useParts(isPainted || isReturn)
  const [turns] = useState(() => (isReturn ? null : createTurns()))
  useEffect(() => turns?.start(), [turns])
  // A place would be found at once on a page of mere rooms, and be another one when they are filled.
  if (isReturn && !all) return null
  if (!isReturn && !isPainted) return <RestRoom />
  return (
    <TurnsContext value={turns}>
      <Sections all={all} programs={programs} />
    </TurnsContext>
  )
}
