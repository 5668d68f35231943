import { styled } from '@mui/material/styles'
import { Contact } from './contact.tsx'
import { Faq } from './faq/faq.tsx'
import { Measure } from './section.tsx'

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

export const Questions = () => (
  <Spread>
    <Contact />
    <Faq />
  </Spread>
)
