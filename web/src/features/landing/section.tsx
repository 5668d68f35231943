import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

const Band = styled('section')(({ theme }) => ({
  paddingBlock: theme.spacing(14),
  scrollMarginTop: theme.spacing(4),
  '&:focus': { outline: 'none' },
  [theme.breakpoints.up('md')]: { paddingBlock: theme.spacing(24) },
}))

/** As wide as the page's text may be; the grounds behind it go to the edges. */
export const Measure = styled('div')(({ theme }) => ({
  width: '100%',
  maxWidth: theme.portal.sizes.page,
  marginInline: 'auto',
  paddingInline: theme.spacing(5),
  [theme.breakpoints.up('md')]: { paddingInline: theme.spacing(10) },
}))

export const SectionTitle = styled('h2')(({ theme }) => ({
  ...theme.typography.h2,
  fontSize: theme.portal.posters.section,
  lineHeight: 1.08,
  letterSpacing: '-0.025em',
  margin: 0,
  maxWidth: '20ch',
}))

export const Lead = styled('p')(({ theme }) => ({
  ...theme.typography.body1,
  fontSize: theme.portal.posters.lead,
  lineHeight: 1.45,
  color: theme.vars.palette.text.secondary,
  maxWidth: '46ch',
  margin: 0,
}))

/** Title on the left, what it means on the right; one under the other on a phone. */
const Head = styled('header')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(4),
  marginBottom: theme.spacing(10),
  [theme.breakpoints.up('md')]: {
    gridTemplateColumns: '7fr 5fr',
    alignItems: 'end',
    gap: theme.spacing(10),
    marginBottom: theme.spacing(14),
  },
}))

type SectionProps = {
  /** Where links to this section lead. */
  readonly id: string
  readonly title: string
  readonly lead?: string
  readonly ground?: 'paper' | 'surface' | 'ground'
  readonly children: ReactNode
}

const Ground = styled(Band, { shouldForwardProp: (name) => name !== 'on' })<{ on: SectionProps['ground'] }>(
  ({ theme, on }) => ({
    ...(on === 'surface' && {
      background: theme.vars.palette.background.paper,
      borderBlock: `1px solid ${theme.vars.palette.divider}`,
    }),
    ...(on === 'ground' && { background: theme.vars.palette.portal.ground }),
  }),
)

export const Section = ({ id, title, lead, ground = 'paper', children }: SectionProps) => (
  <Ground id={id} on={ground} aria-labelledby={`${id}-title`} tabIndex={-1}>
    <Measure>
      <Head>
        <SectionTitle id={`${id}-title`}>{title}</SectionTitle>
        {lead !== undefined && <Lead>{lead}</Lead>}
      </Head>
      {children}
    </Measure>
  </Ground>
)
