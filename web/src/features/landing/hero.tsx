import { keyframes } from '@emotion/react'
import { styled, useTheme } from '@mui/material/styles'
import { Fragment } from 'react'
import { Link } from 'react-router-dom'
import { Logo } from '../../ui/brand.tsx'
import { Actions, Primary, Secondary } from './brand-buttons.tsx'
import { hero } from './content.ts'
import { Measure } from './sections.tsx'

const HeroBand = styled('section')(({ theme }) => ({
  position: 'relative',
  isolation: 'isolate',
  overflow: 'hidden',
  display: 'flex',
  // Fills the first screen between the top bar and the bottom bar, within limits.
  minHeight: [
    `clamp(520px, calc(100vh - ${theme.portal.sizes.topBar + theme.portal.sizes.bottomBar}px), 860px)`,
    `clamp(520px, calc(100svh - ${theme.portal.sizes.topBar + theme.portal.sizes.bottomBar}px), 860px)`,
  ],
  [theme.breakpoints.up(theme.portal.sizes.wideLanding)]: {
    minHeight: [
      `clamp(520px, calc(100vh - ${theme.portal.sizes.topBar}px), 860px)`,
      `clamp(520px, calc(100svh - ${theme.portal.sizes.topBar}px), 860px)`,
    ],
  },
  background: theme.vars.palette.portal.brand.background,
  color: theme.vars.palette.portal.brand.text,
}))

const turn = keyframes({ to: { transform: 'translate(-50%, -50%) rotate(-4deg) scale(1.08)' } })

/** The logo, larger than the hero. It rotates slightly while the page scrolls. */
const LargeMark = styled('div')(({ theme }) => ({
  position: 'absolute',
  zIndex: -1,
  top: '58%',
  left: '50%',
  color: theme.vars.palette.portal.brand.mark,
  transform: 'translate(-50%, -50%) rotate(-12deg)',
  '& svg': { display: 'block', width: 'max(126vw, 780px)', height: 'auto' },
  [theme.breakpoints.up('md')]: { left: '68%', '& svg': { width: 'max(86vw, 1000px)' } },
  '@supports (animation-timeline: scroll())': {
    '@media (prefers-reduced-motion: no-preference)': {
      animation: `${turn} linear both`,
      animationTimeline: 'scroll()',
      animationRange: '0 100svh',
    },
  },
}))

const HeroColumns = styled(Measure)(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  justifyContent: 'space-between',
  gap: theme.spacing(10),
  paddingBlock: theme.spacing(9, 7),
  [theme.breakpoints.up('md')]: { paddingBlock: theme.spacing(18, 12) },
}))

/** Fixed line breaks: the lines are the same before the font has loaded. */
const Headline = styled('h1')(({ theme }) => ({
  ...theme.typography.h1,
  fontSize: theme.portal.posters.headline,
  fontWeight: 700,
  letterSpacing: '-0.035em',
  lineHeight: 0.98,
  margin: 0,
  whiteSpace: 'nowrap',
  '& span': { display: 'block' },
  [theme.breakpoints.up('sm')]: { '& .joined': { display: 'inline' } },
}))

const LeadText = styled('p')(({ theme }) => ({
  fontSize: theme.portal.posters.lead,
  lineHeight: 1.45,
  maxWidth: '20em',
  margin: theme.spacing(5, 0, 8),
  [theme.breakpoints.up('md')]: { margin: theme.spacing(8, 0, 10) },
}))

const Figures = styled('dl')(({ theme }) => ({
  display: 'flex',
  gap: theme.spacing(0, 10),
  margin: 0,
  paddingTop: theme.spacing(4),
  borderTop: ['1px solid', '1px solid color-mix(in srgb, currentcolor 45%, transparent)'],
  '& div': { display: 'flex', alignItems: 'baseline', gap: theme.spacing(2) },
  '& dd': {
    ...theme.typography.h1,
    order: -1,
    margin: 0,
    fontSize: theme.portal.posters.section,
    lineHeight: 1,
    fontVariantNumeric: 'tabular-nums',
  },
  '& dt': { ...theme.typography.body1 },
  [theme.breakpoints.down('sm')]: {
    justifyContent: 'space-between',
    columnGap: theme.spacing(4),
    '& div': { flexDirection: 'column', gap: theme.spacing(1) },
  },
}))

type HeroProps = {
  /** The address of the registration; absent for signed-in users. */
  readonly joinAt?: string
  /** The address of the program list on this page. */
  readonly browseAt: string
  /** h1 unless the page has another title before it. */
  readonly level: 'h1' | 'h2'
}

/** The first screen: headline, key numbers and calls to action. */
export const Hero = ({ joinAt, browseAt, level }: HeroProps) => (
  <HeroBand aria-labelledby="hero-title">
    <LargeMark>
      <Logo size={1100} fold={useTheme().vars?.palette.portal.brand.fold ?? 'currentColor'} />
    </LargeMark>
    <HeroColumns>
      <div>
        <Headline as={level} id="hero-title">
          {hero.title.map((line, n) => (
            <Fragment key={line}>
              {n > 0 && ' '}
              <span className={n < hero.title.length - 1 ? 'joined' : undefined}>{line}</span>
            </Fragment>
          ))}
        </Headline>
        <LeadText>{hero.lead}</LeadText>
        <Actions>
          {joinAt !== undefined && (
            <Primary component={Link} to={joinAt} size="large">
              {hero.join}
            </Primary>
          )}
          <Secondary component="a" href={browseAt} size="large" variant="outlined">
            {hero.browse}
          </Secondary>
        </Actions>
      </div>
      <Figures>
        {hero.figures.map(({ value, name }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </Figures>
    </HeroColumns>
  </HeroBand>
)
