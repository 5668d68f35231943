import { styled } from '@mui/material/styles'
import type { CampaignRecipient } from '@portal/contracts/notifications/http'
import { memo } from 'react'
import { Link } from 'react-router-dom'
import { LinkedRows } from '../../../ui/table/linked-rows.ts'
import { RelativeTime } from '../../../ui/time.tsx'
import { deletedAccount, personPath } from '../campaign.ts'
import { StateName } from '../components/delivery-states.tsx'

const Table = styled(LinkedRows)(({ theme }) => ({ '& td.says': { color: theme.vars.palette.text.secondary } }))

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
      <td role="cell" data-label="Email">
        {personalEmail || never}
      </td>
      <td role="cell" data-label="Status">
        <StateName state={status} />
      </td>
      <td role="cell" data-label="Reason" className="says">
        {says}
      </td>
      <td role="cell" data-label="Arrived">
        {deliveredAt === undefined ? never : <RelativeTime at={deliveredAt} />}
      </td>
      <td role="cell" data-label="Read">
        {readAt === undefined ? never : <RelativeTime at={readAt} />}
      </td>
    </tr>
  )
})

/** One row per recipient. A row leads to the page of the person. */
export const RecipientTable = ({ recipients }: { readonly recipients: readonly CampaignRecipient[] }) => (
  <Table role="table" aria-label="Recipients">
    <thead role="rowgroup">
      <tr role="row">
        {columns.map(([label, width]) => (
          <th key={label} role="columnheader" scope="col" style={{ width }}>
            {label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody role="rowgroup">
      {recipients.map((recipient) => (
        <Row key={recipient.userId} recipient={recipient} />
      ))}
    </tbody>
  </Table>
)
