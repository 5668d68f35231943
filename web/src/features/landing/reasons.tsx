import { styled } from '@mui/material/styles'
import { reasons, type Reason } from './content.ts'
import { Figure } from './figures/figure.tsx'
import { risesIn } from './scroll-in.ts'

/** A row of the prospectus: what, in detail, drawn. */
const Row = styled('section')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(6),
  paddingBlock: theme.spacing(10),
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '&:last-of-type': { borderBottom: `1px solid ${theme.vars.palette.divider}` },
  '& h3': { ...theme.typography.h1, margin: 0, maxWidth: '14ch' },
  '& p': { margin: theme.spacing(3, 0, 0), color: theme.vars.palette.text.secondary, maxWidth: '36ch' },
  '& .drawing': { width: '100%', maxWidth: 360, ...risesIn },
  [theme.breakpoints.up('sm')]: {
    gridTemplateColumns: '1fr 1fr',
    gap: theme.spacing(6, 10),
    '& .drawing': { gridColumn: 2, gridRow: '1 / span 2', justifySelf: 'end' },
  },
  [theme.breakpoints.up('md')]: {
    gridTemplateColumns: '4fr 4fr 4fr',
    gap: theme.spacing(12),
    paddingBlock: theme.spacing(14),
    '& .drawing': { gridColumn: 3, gridRow: 1 },
  },
}))

const Points = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: 0,
  padding: 0,
  alignSelf: 'start',
  '& li': { padding: theme.spacing(3, 0), fontWeight: 500 },
  '& li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& li:first-of-type': { paddingTop: theme.spacing(1.5) },
}))

const ReasonRow = ({ figure, title, text, points }: Reason) => (
  <Row aria-labelledby={`why-${figure}`}>
    <div>
      <h3 id={`why-${figure}`}>{title}</h3>
      <p>{text}</p>
    </div>
    <Points>
      {points.map((point) => (
        <li key={point}>{point}</li>
      ))}
    </Points>
    <div className="drawing">
      <Figure name={figure} />
    </div>
  </Row>
)

export const Reasons = () => reasons.map((reason) => <ReasonRow key={reason.figure} {...reason} />)
