import { styled } from '@mui/material/styles'
import type { CampaignRecipient } from '@portal/contracts/notifications/http'
import { memo } from 'react'
import { Link } from 'react-router-dom'
import { LinkedRows } from '../../../ui/table/linked-rows.tsx'
import { RelativeTime } from '../../../ui/time.tsx'
import { deletedAccount, personPath } from '../campaign.ts'
import { StateName } from '../components/delivery-states.tsx'

const Table = styled(LinkedRows)(({ theme }) => ({
  '& td.says': { color: theme.vars.palette.text.secondary },
  // Two lines: fifty cards would fill ten screens. The reason is on the page of the person, and in the filter.
  [theme.breakpoints.down('sm')]: {
    '& tbody tr': {
      display: 'grid',
      gridTemplateColumns: 'minmax(0, 1fr) auto',
      gap: theme.spacing(1, 3),
      padding: theme.spacing(3, 0),
    },
    '& td': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
    '& td[data-label]': { display: 'block', paddingTop: 0 },
    '& td.status': { gridArea: '1 / 2' },
    '& td.email': { color: theme.vars.palette.text.secondary },
    '& td.email::before, & td.status::before': { content: 'none' },
    '& td.time': { textAlign: 'right' },
    '& td.time::before': { marginRight: theme.spacing(1) },
    '& td.says, & td.earlier': { display: 'none' },
  },
}))

const columns = [
  ['Name', '19%'],
  ['Email', '22%'],
  ['Status', '11%'],
  ['Reason', undefined],
  ['Arrived', '9%'],
  ['Read', '9%'],
] as const

const never = <span aria-label="Never">–</span>

const Row = memo(({ recipient }: { readonly recipient: CampaignRecipient }) => {
  const { userId, fullName, personalEmail, status, says, deliveredAt, readAt } = recipient
  return (
    <tr role="row">
      <td role="cell">
        <Link to={personPath(userId)}>{fullName || deletedAccount}</Link>
      </td>
      <td role="cell" data-label="Email" className="email">
        {personalEmail || never}
      </td>
      <td role="cell" data-label="Status" className="status">
        <StateName state={status} />
      </td>
      <td role="cell" data-label="Reason" className="says">
        {says}
      </td>
      <td role="cell" data-label="Arrived" className={readAt === undefined ? 'time' : 'earlier'}>
        {deliveredAt === undefined ? never : <RelativeTime at={deliveredAt} />}
      </td>
      <td role="cell" data-label="Read" className={readAt === undefined ? 'earlier' : 'time'}>
        {readAt === undefined ? never : <RelativeTime at={readAt} />}
      </td>
    </tr>
  )
})

/** One row per recipient. A row leads to the page of the person. */
export const RecipientTable = ({ recipients }: { readonly recipients: readonly CampaignRecipient[] }) => (
  <Table label="Recipients" columns={columns}>
    {recipients.map((recipient) => (
      <Row key={recipient.userId} recipient={recipient} />
    ))}
  </Table>
)
