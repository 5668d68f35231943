import { keyframes } from '@emotion/react'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { about, contact } from './content.ts'

/** The sections of the landing page with their titles. Their content is in section-contents.tsx. */

const rise = keyframes({ from: { transform: 'translateY(28px)' } })

/** A scroll-driven animation. Browsers without support and users who prefer reduced motion see the page without it. */
export const risesIn = {
  '@supports (animation-timeline: view())': {
    '@media (prefers-reduced-motion: no-preference)': {
      animation: `${rise} ease-out both`,
      animationTimeline: 'view()',
      animationRange: 'entry 0% entry 90%',
    },
  },
}

const Band = styled('section')(({ theme }) => ({
  paddingBlock: theme.spacing(12),
  scrollMarginTop: theme.spacing(4),
  '&:focus': { outline: 'none' },
  [theme.breakpoints.up('md')]: { paddingBlock: theme.spacing(24) },
}))

/** The maximum width of the content. Backgrounds reach the edges of the window. */
export const Measure = styled('div')(({ theme }) => ({
  width: '100%',
  maxWidth: theme.portal.sizes.page,
  marginInline: 'auto',
  paddingInline: theme.spacing(5),
  [theme.breakpoints.up('md')]: { paddingInline: theme.spacing(10) },
}))

const SectionTitle = styled('h2')(({ theme }) => ({
  ...theme.typography.h2,
  fontSize: theme.portal.posters.section,
  lineHeight: 1.08,
  letterSpacing: '-0.025em',
  margin: 0,
  maxWidth: '20ch',
}))

const Lead = styled('p')(({ theme }) => ({
  ...theme.typography.body1,
  fontSize: theme.portal.posters.lead,
  lineHeight: 1.45,
  color: theme.vars.palette.text.secondary,
  maxWidth: '46ch',
  margin: 0,
}))

/** Title on the left, lead on the right; stacked on a phone. */
const Head = styled('header')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(4),
  marginBottom: theme.spacing(8),
  [theme.breakpoints.up('md')]: {
    gridTemplateColumns: '7fr 5fr',
    alignItems: 'end',
    gap: theme.spacing(10),
    marginBottom: theme.spacing(14),
  },
}))

type SectionProps = {
  /** The target of links to this section. */
  readonly id: string
  readonly title: string
  readonly lead?: ReactNode
  readonly background?: 'paper' | 'surface' | 'backdrop'
  readonly children: ReactNode
}

const SectionBand = styled(Band, { shouldForwardProp: (name) => name !== 'on' })<{ on: SectionProps['background'] }>(
  ({ theme, on }) => ({
    ...(on === 'surface' && {
      background: theme.vars.palette.background.paper,
      borderBlock: `1px solid ${theme.vars.palette.divider}`,
    }),
    ...(on === 'backdrop' && { background: theme.vars.palette.portal.backdrop }),
  }),
)

export const Section = ({ id, title, lead, background = 'paper', children }: SectionProps) => (
  <SectionBand id={id} on={background} aria-labelledby={`${id}-title`} tabIndex={-1}>
    <Measure>
      <Head>
        <SectionTitle id={`${id}-title`}>{title}</SectionTitle>
        {lead !== undefined && <Lead>{lead}</Lead>}
      </Head>
      {children}
    </Measure>
  </SectionBand>
)

const AboutBand = styled('section')(({ theme }) => ({
  paddingBlock: theme.spacing(12),
  [theme.breakpoints.up('md')]: { paddingBlock: theme.spacing(24) },
}))

const AboutColumns = styled(Measure)(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(10),
  alignItems: 'start',
  [theme.breakpoints.up('md')]: { gridTemplateColumns: '6fr 5fr', gap: theme.spacing(20) },
}))

const AboutText = styled('div')(({ theme }) => ({
  '& p': {
    fontSize: theme.portal.posters.lead,
    lineHeight: 1.5,
    maxWidth: '46ch',
    margin: theme.spacing(6, 0, 0),
    color: theme.vars.palette.text.secondary,
  },
}))

const AboutFigure = styled('figure')(({ theme }) => ({
  margin: 0,
  '& figcaption': { ...theme.typography.body2, marginTop: theme.spacing(4), color: theme.vars.palette.text.secondary },
  ...risesIn,
}))

export const About = ({ week }: { week: ReactNode }) => (
  <AboutBand id="about" aria-labelledby="about-title">
    <AboutColumns>
      <AboutText>
        <SectionTitle id="about-title">{about.title}</SectionTitle>
        {about.paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </AboutText>
      <AboutFigure>
        {week}
        <figcaption>{about.weekCaption}</figcaption>
      </AboutFigure>
    </AboutColumns>
  </AboutBand>
)

const FeaturesBand = styled('section')(({ theme }) => ({
  background: theme.vars.palette.background.paper,
  borderBlock: `1px solid ${theme.vars.palette.divider}`,
}))

/** The four key features. Their list is the content; the title is for screen readers. */
export const KeyFeatures = ({ children }: { children: ReactNode }) => (
  <FeaturesBand id="features" aria-labelledby="features-title">
    <Measure>
      <VisuallyHidden as="h2" id="features-title">
        Key features
      </VisuallyHidden>
      {children}
    </Measure>
  </FeaturesBand>
)

/** On a desktop, the contact details stay visible beside the questions. */
const QuestionColumns = styled(Measure)(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(14),
  paddingBlock: theme.spacing(12),
  '& > *': { minWidth: 0 },
  [theme.breakpoints.up('md')]: {
    gridTemplateColumns: '4fr 8fr',
    gap: theme.spacing(20),
    paddingBlock: theme.spacing(24),
    '& > :first-of-type': { position: 'sticky', top: theme.spacing(10), alignSelf: 'start' },
  },
}))

const Contact = styled('section')(({ theme }) => ({
  outline: 'none',
  '& p': { color: theme.vars.palette.text.secondary, maxWidth: '30ch', margin: theme.spacing(4, 0, 6) },
  '& dl': { margin: 0, borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& dl > div': { padding: theme.spacing(3, 0), borderBottom: `1px solid ${theme.vars.palette.divider}` },
  '& dt': { ...theme.typography.body2, color: theme.vars.palette.text.secondary },
  '& dd': { ...theme.typography.h3, margin: 0 },
  '& a': {
    display: 'inline-flex',
    alignItems: 'center',
    minHeight: theme.portal.sizes.target,
    color: theme.vars.palette.primary.main,
    textUnderlineOffset: '0.2em',
    textDecorationThickness: 1,
  },
  '& address': { fontStyle: 'normal', paddingBlock: theme.spacing(2) },
}))

type QuestionsProps = { readonly contact: ReactNode; readonly faq: ReactNode }

/** The contact details beside the frequently asked questions. */
export const Questions = ({ contact: contactDetails, faq }: QuestionsProps) => (
  <QuestionColumns>
    <Contact id="contact" aria-labelledby="contact-title" tabIndex={-1}>
      <SectionTitle id="contact-title">{contact.title}</SectionTitle>
      {contactDetails}
    </Contact>
    <section id="faq" aria-labelledby="faq-title" tabIndex={-1} style={{ outline: 'none' }}>
      <SectionTitle id="faq-title">Frequently asked questions</SectionTitle>
      {faq}
    </section>
  </QuestionColumns>
)
