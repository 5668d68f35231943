import { styled } from '@mui/material/styles'
import type { ActivityDay } from '@portal/contracts/notifications/http'
import { formatCount } from '../../../../../features/campaigns/progress.ts'
import { dayLabel } from './activity.ts'

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
    '& thead th': { fontWeight: 600, color: theme.vars.palette.text.secondary },
    '& th:first-of-type': { textAlign: 'left' },
  },
}))

/** The chart's figures, for whoever would rather read them or cannot see it. */
export const ActivityTable = ({ days }: { readonly days: readonly ActivityDay[] }) => (
  <Details>
    <summary>Show as a table</summary>
    <table>
      <thead>
        <tr>
          {['Day', 'Sends', 'Recipients', 'Read'].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map(({ date, sends, delivered, reads }) => (
          <tr key={date}>
            <th scope="row">{dayLabel(date)}</th>
            <td>{formatCount(sends)}</td>
            <td>{formatCount(delivered)}</td>
            <td>{formatCount(reads)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Details>
)
