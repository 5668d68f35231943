import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

const Section = styled('section')(({ theme }) => ({ marginTop: theme.spacing(8) }))

/** A part of the page of a person. */
export const PersonSection = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <Section aria-labelledby={`${id}-heading`}>
    <Typography variant="h2" id={`${id}-heading`} gutterBottom>
      {title}
    </Typography>
    {children}
  </Section>
)

/** Entries with a name and, below or beside it, a fact. */
export const PersonRows = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > li': {
    ...theme.typography.body2,
    display: 'grid',
    gap: theme.spacing(1, 6),
    paddingBlock: theme.spacing(3),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
    color: theme.vars.palette.text.secondary,
    [theme.breakpoints.up('sm')]: { gridTemplateColumns: 'minmax(0, 5fr) minmax(0, 6fr)', alignItems: 'baseline' },
  },
  '& .name': { ...theme.typography.subtitle2, color: theme.vars.palette.text.primary, overflowWrap: 'anywhere' },
}))
