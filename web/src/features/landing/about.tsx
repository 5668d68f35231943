import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { about } from './content.ts'
import { risesIn } from './scroll-in.ts'
import { Measure, SectionTitle } from './section.tsx'

const Band = styled('section')(({ theme }) => ({
  paddingBlock: theme.spacing(14),
  [theme.breakpoints.up('md')]: { paddingBlock: theme.spacing(24) },
}))

const Spread = styled(Measure)(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(12),
  alignItems: 'start',
  [theme.breakpoints.up('md')]: { gridTemplateColumns: '6fr 5fr', gap: theme.spacing(20) },
}))

const Text = styled('div')(({ theme }) => ({
  '& p': {
    fontSize: theme.portal.posters.lead,
    lineHeight: 1.5,
    maxWidth: '46ch',
    margin: theme.spacing(6, 0, 0),
    color: theme.vars.palette.text.secondary,
  },
}))

const Figure = styled('figure')(({ theme }) => ({
  margin: 0,
  '& figcaption': { ...theme.typography.body2, marginTop: theme.spacing(4), color: theme.vars.palette.text.secondary },
  ...risesIn,
}))

export const About = ({ week }: { week: ReactNode }) => (
  <Band id="about" aria-labelledby="about-title">
    <Spread>
      <Text>
        <SectionTitle id="about-title">{about.title}</SectionTitle>
        {about.paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </Text>
      <Figure>
        {week}
        <figcaption>{about.weekCaption}</figcaption>
      </Figure>
    </Spread>
  </Band>
)
