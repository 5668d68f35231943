import type { ReactNode } from 'react'
import { programs as words } from './content.ts'
import { Questions } from './questions.tsx'
import { Section } from './section.tsx'
import { Testimonials } from './testimonials/testimonials.tsx'
import { PartnerUniversities } from './universities/partner-universities.tsx'
import { WhyChoose } from './why-choose.tsx'

/** The landing page from the programme list on. The list itself is another feature's. */
export const BelowTheFold = ({ programs }: { programs: ReactNode }) => (
  <>
    <Section id="programs" title={words.title} lead={words.text}>
      {programs}
    </Section>
    <PartnerUniversities />
    <WhyChoose />
    <Testimonials />
    <Questions />
  </>
)
