import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { Facts } from '../../../ui/facts.tsx'
import { rupees } from '../../../ui/money.ts'
import { dayText } from '../../../ui/time.ts'
import { feeBreakdown } from '../payment-records.ts'

const Section = styled('section')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(4),
  marginTop: theme.spacing(10),
}))

/** What the next instalment is made of. */
export const FeeBreakdown = () => {
  const { semester, tuitionFee, laboratoryFee, developmentFee, dueDate } = feeBreakdown
  return (
    <Section aria-labelledby="fee-breakdown">
      <Typography variant="h2" id="fee-breakdown">
        {`Fee breakdown, semester ${semester}`}
      </Typography>
      <Facts
        areAmounts
        facts={[
          { name: 'Tuition fee', value: rupees(tuitionFee) },
          { name: 'Laboratory fee', value: rupees(laboratoryFee) },
          { name: 'Development fee', value: rupees(developmentFee) },
          { name: 'Total', value: <strong>{rupees(tuitionFee + laboratoryFee + developmentFee)}</strong> },
          { name: 'Due date', value: dayText(dueDate) },
        ]}
      />
    </Section>
  )
}
