import { styled } from '@mui/material/styles'
import { formatCount } from '../progress.ts'

/** A heading and the legend of the charts below it, in one line where there is room. */
export const ChartHead = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'baseline',
  justifyContent: 'space-between',
  gap: theme.spacing(1, 6),
  marginBottom: theme.spacing(3),
}))

/** A `span` per series. The classes give the colors of the charts. */
export const Legend = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  gap: theme.spacing(4),
  color: theme.vars.palette.text.secondary,
  '& span': { display: 'inline-flex', alignItems: 'center', gap: theme.spacing(1.5) },
  '& span::before': { content: '""', width: 10, height: 10, borderRadius: 2, background: 'currentColor' },
  '& .delivered::before': { color: theme.vars.palette.portal.edge },
  '& .read::before': { color: theme.vars.palette.primary.main },
  '& .unread::before': {
    background: theme.vars.palette.portal.accentSoft,
    border: `1px solid ${theme.vars.palette.primary.main}`,
  },
}))

/** The colors of PairedBars. Hidden from screen readers, like the chart. */
export const ChartLegend = ({ delivered, read }: { readonly delivered: string; readonly read: string }) => (
  <Legend aria-hidden="true">
    <span className="delivered">{delivered}</span>
    <span className="read">{read}</span>
  </Legend>
)

const Details = styled('details')(({ theme }) => ({
  ...theme.typography.body2,
  '& summary': {
    display: 'inline-flex',
    alignItems: 'center',
    minHeight: theme.portal.sizes.target,
    cursor: 'pointer',
    fontWeight: 600,
    textDecoration: 'underline',
    textDecorationThickness: 1,
    textUnderlineOffset: '0.2em',
    borderRadius: theme.portal.radii.control,
    '&::-webkit-details-marker': { display: 'none' },
  },
  '& table': {
    width: '100%',
    maxWidth: 560,
    tableLayout: 'fixed',
    borderCollapse: 'collapse',
    fontVariantNumeric: 'tabular-nums',
    '& th, & td': {
      padding: theme.spacing(1.5, 0),
      fontWeight: 400,
      textAlign: 'right',
      borderBottom: `1px solid ${theme.vars.palette.divider}`,
    },
    // Columns as wide as their words need, which on a phone is more than a quarter.
    [theme.breakpoints.down('sm')]: { tableLayout: 'auto' },
    '& thead th': { fontWeight: 600, color: theme.vars.palette.text.secondary },
    '& th:first-of-type': { textAlign: 'left' },
  },
}))

type ChartTableProps = {
  /** One per column; the first is the head of `label`. */
  readonly heads: readonly string[]
  readonly rows: readonly { readonly label: string; readonly counts: readonly number[] }[]
}

/** The numbers of a chart, also for screen readers. */
export const ChartTable = ({ heads, rows }: ChartTableProps) => (
  <Details>
    <summary>Show as a table</summary>
    <table>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, counts }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {counts.map((count, index) => (
              <td key={heads[index + 1]}>{formatCount(count)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Details>
)
