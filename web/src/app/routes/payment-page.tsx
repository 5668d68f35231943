import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { useLocation } from 'react-router-dom'
import { PageTitle } from '../../ui/page-title.tsx'
import { bookedProgram } from '../../features/payments/booking.ts'
import { BookSeat } from '../../features/payments/components/book-seat.tsx'
import { FeeBreakdown } from '../../features/payments/components/fee-breakdown.tsx'
import { PaymentHistory } from '../../features/payments/components/payment-history.tsx'

const SampleNote = styled(Typography)(({ theme }) => ({ marginBottom: theme.spacing(4) }))

export const PaymentPage = () => {
  const { state } = useLocation()
  const programId = bookedProgram(state)
  if (programId !== null)
    return (
      <>
        <PageTitle
          title="Book your Seat"
          back={{ to: `/program-details-inactives/${programId}`, label: 'the program' }}
        />
        <BookSeat key={programId} programId={programId} />
      </>
    )
  return (
    <>
      <PageTitle title="Payment History" back={{ to: '/profile', label: 'your profile' }} />
      <SampleNote variant="body2" color="textSecondary">
        Sample records: online payment is not open yet.
      </SampleNote>
      <PaymentHistory />
      <FeeBreakdown />
    </>
  )
}
