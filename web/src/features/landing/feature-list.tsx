import { styled } from '@mui/material/styles'
import { features } from './content.ts'
import { Figure } from './figures/figure.tsx'

/** Four columns between hairlines; two and one where there is less room. */
const List = styled('ul')(({ theme }) => ({
  display: 'grid',
  listStyle: 'none',
  margin: 0,
  padding: 0,
  [theme.breakpoints.up('sm')]: { gridTemplateColumns: '1fr 1fr' },
  [theme.breakpoints.up('md')]: { gridTemplateColumns: 'repeat(4, 1fr)' },
}))

const Feature = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateRows: 'auto auto 1fr',
  paddingBlock: theme.spacing(12),
  '& .drawing': { maxWidth: 200, marginBottom: theme.spacing(8) },
  '& h3': { ...theme.typography.body1, fontWeight: 600, margin: 0 },
  '& h3 .value': {
    ...theme.typography.h1,
    display: 'block',
    fontSize: theme.portal.posters.section,
    lineHeight: 1.1,
    letterSpacing: '-0.03em',
    whiteSpace: 'nowrap',
    fontVariantNumeric: 'tabular-nums',
  },
  '& p': { ...theme.typography.body1, margin: theme.spacing(2, 0, 0), color: theme.vars.palette.text.secondary },
  // On a phone the drawing stands beside the number.
  [theme.breakpoints.down('sm')]: {
    gridTemplateColumns: '1fr 112px',
    gridTemplateRows: 'auto auto',
    columnGap: theme.spacing(5),
    paddingBlock: theme.spacing(8),
    '& .drawing': { gridColumn: 2, gridRow: 1, alignSelf: 'end', margin: 0 },
    '& h3': { gridColumn: 1, gridRow: 1, alignSelf: 'end' },
    '& p': { gridColumn: '1 / -1', marginTop: theme.spacing(3) },
    '& + &': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  },
  [theme.breakpoints.between('sm', 'md')]: {
    paddingInline: theme.spacing(0, 8),
    '&:nth-of-type(even)': {
      paddingInline: theme.spacing(8, 0),
      borderLeft: `1px solid ${theme.vars.palette.divider}`,
    },
    '&:nth-of-type(n + 3)': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  },
  [theme.breakpoints.up('md')]: {
    padding: theme.spacing(16, 6),
    '&:first-of-type': { paddingLeft: 0 },
    '&:last-of-type': { paddingRight: 0 },
    '& + &': { borderLeft: `1px solid ${theme.vars.palette.divider}` },
  },
}))

/** The four key features, each a number and its drawing. */
export const FeatureList = () => (
  <List>
    {features.map(({ figure, value, title, text }) => (
      <Feature key={figure}>
        <div className="drawing">
          <Figure name={figure} />
        </div>
        <h3>
          <span className="value">{value}</span> {title}
        </h3>
        <p>{text}</p>
      </Feature>
    ))}
  </List>
)
