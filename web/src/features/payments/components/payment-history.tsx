import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { DescriptionList } from '../../../ui/description-list.tsx'
import { formatRupees } from '../../../ui/money.ts'
import { dayText } from '../../../ui/time.tsx'
import { ToneBadge } from '../../../ui/type-badge.tsx'
import { feeBreakdown, paymentRecords, paymentTones } from '../payment-records.ts'

const List = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: theme.spacing(0, -5),
  padding: 0,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& li': {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    gap: theme.spacing(1, 4),
    padding: theme.spacing(4, 5),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
    background: theme.vars.palette.background.paper,
    fontVariantNumeric: 'tabular-nums',
  },
  '& .amount': { ...theme.typography.h3, fontVariantNumeric: 'tabular-nums', textAlign: 'right' },
  '& .below': { display: 'flex', alignItems: 'center', justifyContent: 'end' },
}))

export const PaymentHistory = () => (
  <List>
    {paymentRecords.map(({ id, programName, description, amount, status, date }) => (
      <li key={id}>
        <Typography variant="subtitle1">{programName}</Typography>
        <span className="amount">{formatRupees(amount)}</span>
        <Typography variant="body2" color="textSecondary">
          <span>{description}</span>
          <br />
          <time dateTime={date}>{dayText(date)}</time>
          <span>{` · ${id}`}</span>
        </Typography>
        <span className="below">
          <ToneBadge tone={paymentTones[status]}>{status}</ToneBadge>
        </span>
      </li>
    ))}
  </List>
)

const Section = styled('section')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(4),
  marginTop: theme.spacing(10),
}))

/** The items of the next installment. */
export const FeeBreakdown = () => {
  const { semester, tuitionFee, laboratoryFee, developmentFee, dueDate } = feeBreakdown
  return (
    <Section aria-labelledby="fee-breakdown">
      <Typography variant="h2" id="fee-breakdown">
        {`Fee breakdown, semester ${semester}`}
      </Typography>
      <DescriptionList
        areAmounts
        items={[
          { name: 'Tuition fee', value: formatRupees(tuitionFee) },
          { name: 'Laboratory fee', value: formatRupees(laboratoryFee) },
          { name: 'Development fee', value: formatRupees(developmentFee) },
          { name: 'Total', value: <strong>{formatRupees(tuitionFee + laboratoryFee + developmentFee)}</strong> },
          { name: 'Due date', value: dayText(dueDate) },
        ]}
      />
    </Section>
  )
}
