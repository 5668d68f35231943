import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { programRecordIdSchema, type ProgramRecordId } from '@portal/contracts/shared/ids'
import { useLocation } from 'react-router-dom'
import { z } from 'zod'
import { BookSeat } from '../../features/payments/components/book-seat.tsx'
import { FeeBreakdown, PaymentHistory } from '../../features/payments/components/payment-history.tsx'
import { PageTitle } from '../../ui/page-title.tsx'

const bookingSchema = z.object({ registration: z.literal(true), _id: programRecordIdSchema })

/** The program to register for, from the router state, which survives a reload. */
const bookedProgram = (routerState: unknown): ProgramRecordId | null =>
  bookingSchema.safeParse(routerState).data?._id ?? null

const SampleNote = styled(Typography)(({ theme }) => ({ marginBottom: theme.spacing(4) }))

export const PaymentPage = () => {
  const { state } = useLocation()
  const programId = bookedProgram(state)
  if (programId !== null) return <BookSeat key={programId} programId={programId} />
  return (
    <>
      <PageTitle title="Payment History" back={{ to: '/profile', label: 'your profile' }} />
      <SampleNote variant="body2" color="textSecondary">
        Sample records: online payment isn’t available yet.
      </SampleNote>
      <PaymentHistory />
      <FeeBreakdown />
    </>
  )
}
