import type { ReactNode } from 'react'
import { programs as words } from './content.ts'
import { Questions } from './questions.tsx'
import { Section } from './section.tsx'
import { Testimonials } from './testimonials/testimonials.tsx'
import { PartnerUniversities } from './universities/partner-universities.tsx'
import { useTurns } from './use-turns.ts'
import { WhyChoose } from './why-choose.tsx'

const rest: readonly { readonly name: string; readonly section: () => ReactNode }[] = [
  { name: 'universities', section: PartnerUniversities },
  { name: 'why', section: WhyChoose },
  { name: 'testimonials', section: Testimonials },
  { name: 'questions', section: Questions },
]

/** The landing page from the programme list on. The list itself is another feature's. */
export const BelowTheFold = ({ programs }: { programs: ReactNode }) => {
  const shown = useTurns(rest.length + 1)
  return (
    <>
      <Section id="programs" title={words.title} lead={words.text}>
        {programs}
      </Section>
      {rest.slice(0, shown - 1).map(({ name, section: Part }) => (
        <Part key={name} />
      ))}
    </>
  )
}
