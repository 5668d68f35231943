import Button from '@mui/material/Button'
import MuiLink from '@mui/material/Link'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import { enrollInProgram, getProgram, listMyPrograms } from '@portal/contracts/catalog/http'
import { defaultRegistrationFee, type Program } from '@portal/contracts/catalog/program'
import { enrollmentNoticeTitle } from '@portal/contracts/notifications/portal-sender'
import type { ProgramRecordId } from '@portal/contracts/shared/ids'
import { useId, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { call, type Answer, type Failure } from '../../../lib/http.ts'
import { useRequestQuery } from '../../../lib/query.ts'
import { ActionBar, ActionPage } from '../../../ui/action-bar.tsx'
import { ErrorBanner } from '../../../ui/banner.tsx'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { DescriptionList } from '../../../ui/description-list.tsx'
import { BookletIllustration, UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { formatRupees } from '../../../ui/money.ts'
import { DelayedFadeIn } from '../../../ui/skeletons.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'
import { useSaidByPage } from '../../../ui/toast/atoms.ts'
import { BookingRecorded, paymentNotice } from './booking-recorded.tsx'

/** The program to book, and the enrollment if the user has booked it already. */
type SeatToBook = { readonly program: Program; readonly enrollment: Enrollment | null }

const loadSeat = async (id: ProgramRecordId, signal: AbortSignal): Promise<Answer<SeatToBook>> => {
  const [program, mine] = await Promise.all([
    call(getProgram, { params: { id }, signal }),
    call(listMyPrograms, { signal }),
  ])
  if (!program.success) return program
  // If this is unknown, booking is offered: repeating an enrollment is harmless on the server.
  const enrollments = mine.success ? mine.data.programs : []
  const enrollment = enrollments.find(({ programId }) => programId === id) ?? null
  return { success: true, data: { program: program.data.data, enrollment } }
}

type Booking =
  | { readonly kind: 'open' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'recorded'; readonly enrollment: Enrollment }

/** Enrolls once, even on repeated taps. */
const useBooking = (programId: ProgramRecordId, recorded: Enrollment | null) => {
  const [booking, setBooking] = useState<Booking>(
    recorded ? { kind: 'recorded', enrollment: recorded } : { kind: 'open' },
  )
  const isInFlight = useRef(false)

  const pay = async () => {
    // A ref, because two taps may come before the next render.
    if (isInFlight.current) return
    isInFlight.current = true
    setBooking({ kind: 'busy' })
    const answer = await call(enrollInProgram, { params: { id: programId } })
    if (answer.success) return setBooking({ kind: 'recorded', enrollment: answer.data.data })
    isInFlight.current = false
    return setBooking({ kind: 'failed', message: answer.message })
  }

  /** Removes the error message. */
  const dismiss = () => setBooking({ kind: 'open' })

  return { booking, pay, dismiss }
}

/** A receipt with the amount in large type. */
const Receipt = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(4),
  padding: theme.spacing(5),
  borderRadius: theme.portal.radii.control,
  border: `1px solid ${theme.vars.palette.divider}`,
  background: theme.vars.palette.background.paper,
  overflowWrap: 'anywhere',
  // The dashed line replaces the last border.
  '& dl > :last-child': { paddingBottom: 0, borderBottom: 'none' },
  // Stacked: the width of the amount changes when the font of the rupee sign loads.
  '& .sum': {
    display: 'grid',
    gap: theme.spacing(1),
    paddingTop: theme.spacing(4),
    borderTop: `1px dashed ${theme.vars.palette.portal.edge}`,
  },
  '& .amount': { ...theme.typography.h1, fontVariantNumeric: 'tabular-nums' },
}))

const PayText = styled('span')(({ theme }) => ({
  display: 'grid',
  '& small': { ...theme.typography.caption, fontWeight: 400 },
}))

type SeatTitleProps = { readonly programId: ProgramRecordId; readonly isReserved?: boolean }

const SeatTitle = ({ programId, isReserved = false }: SeatTitleProps) => (
  <PageTitle
    title={isReserved ? 'Seat reserved' : 'Book your Seat'}
    back={{ to: `/program-details-inactives/${programId}`, label: 'the program' }}
  />
)

const termsOf = ({ semesterCount, fee }: Program) => [
  { name: 'Duration', value: semesterCount === 1 ? '1 semester' : `${semesterCount} semesters` },
  { name: 'Mode', value: 'Online' },
  ...(fee === '' ? [] : [{ name: 'Course fee', value: formatRupees(fee) }]),
]

const Seat = ({ seat: { program, enrollment } }: { seat: SeatToBook }) => {
  const { booking, pay, dismiss } = useBooking(program._id, enrollment)
  const fee = formatRupees(program.enrollmentDetails.fee || defaultRegistrationFee)
  const id = useId()
  // The notification may arrive before the answer.
  const isBooked = booking.kind === 'busy' || booking.kind === 'recorded'
  useSaidByPage(isBooked ? enrollmentNoticeTitle(program.programName) : '')
  if (booking.kind === 'recorded')
    return (
      <>
        <SeatTitle programId={program._id} isReserved />
        <BookingRecorded enrollment={booking.enrollment} />
      </>
    )
  return (
    <>
      <SeatTitle programId={program._id} />
      <ActionPage>
        <Receipt>
          <div>
            <Typography variant="body2" color="textSecondary">
              {program.programId}
            </Typography>
            <Typography variant="h2">{program.programName}</Typography>
          </div>
          <DescriptionList areAmounts items={termsOf(program)} />
          <div className="sum">
            <span>One-time registration fee</span>
            <span className="amount">{fee}</span>
          </div>
        </Receipt>
        <Typography variant="body2" color="textSecondary">
          By paying you agree to the{' '}
          <MuiLink component={Link} to="/terms">
            terms
          </MuiLink>{' '}
          and to the{' '}
          <MuiLink component={Link} to="/privacy">
            privacy policy
          </MuiLink>{' '}
          of the center. The registration fee is paid once and is not part of the course fee.
        </Typography>
        <Typography>{`You will not be charged now. ${paymentNotice}`}</Typography>
        {booking.kind === 'failed' && <ErrorBanner onClose={dismiss}>{booking.message}</ErrorBanner>}
        <ActionBar>
          <BusyButton size="large" fullWidth busy={booking.kind === 'busy'} onClick={pay} aria-describedby={id}>
            <PayText>
              <span>{`Pay ${fee}`}</span>
              <small id={id} aria-hidden="true">
                Reserve now, pay later
              </small>
            </PayText>
          </BusyButton>
        </ActionBar>
      </ActionPage>
    </>
  )
}

const WaitingStack = styled(DelayedFadeIn)(({ theme }) => ({ display: 'grid', gap: theme.spacing(6) }))

const SeatSkeleton = () => (
  <WaitingStack role="status" aria-label="Loading program details...">
    <Skeleton variant="rounded" height={378} />
    <Skeleton variant="rounded" height={60} />
  </WaitingStack>
)

const SeatFailure = ({ failure, onRetry }: { failure: Failure; onRetry: () => void }) =>
  failure.code === 'not-found' ? (
    <EmptyState
      illustration={<BookletIllustration />}
      text="Program not found"
      action={
        <Button component={Link} to="/my-program" variant="outlined" color="secondary">
          My Programs
        </Button>
      }
    />
  ) : (
    <ErrorState
      illustration={<UnpluggedIllustration />}
      text={failure.message || 'Failed to load program details'}
      onRetry={onRetry}
    />
  )

/** The registration for a program. */
export const BookSeat = ({ programId }: { programId: ProgramRecordId }) => {
  const { state, reload } = useRequestQuery({
    key: ['seat', programId],
    request: (signal) => loadSeat(programId, signal),
  })
  if (state.kind === 'loaded') return <Seat seat={state.data} />
  return (
    <>
      <SeatTitle programId={programId} />
      {state.kind === 'loading' && <SeatSkeleton />}
      {state.kind === 'failed' && <SeatFailure failure={state.failure} onRetry={reload} />}
    </>
  )
}
