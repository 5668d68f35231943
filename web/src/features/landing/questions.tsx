import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { Contact } from './contact.tsx'
import { Measure, SectionTitle } from './section.tsx'

/** On a desk whom to ask stays in sight beside what has been asked. */
const Spread = styled(Measure)(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(20),
  paddingBlock: theme.spacing(14),
  '& > *': { minWidth: 0 },
  [theme.breakpoints.up('md')]: {
    gridTemplateColumns: '4fr 8fr',
    gap: theme.spacing(20),
    paddingBlock: theme.spacing(24),
    '& > :first-of-type': { position: 'sticky', top: theme.spacing(10), alignSelf: 'start' },
  },
}))

type QuestionsProps = { readonly contact: ReactNode; readonly faq: ReactNode }

export const Questions = ({ contact, faq }: QuestionsProps) => (
  <Spread>
    <Contact>{contact}</Contact>
    <section id="faq" aria-labelledby="faq-title" tabIndex={-1} style={{ outline: 'none' }}>
      <SectionTitle id="faq-title">Frequently asked questions</SectionTitle>
      {faq}
    </section>
  </Spread>
)
