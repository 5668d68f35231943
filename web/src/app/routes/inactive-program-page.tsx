import Button from '@mui/material/Button'
import { onlyLearnersEnroll } from '@portal/contracts/catalog/enrollment'
import { defaultRegistrationFee, type Program } from '@portal/contracts/catalog/program'
import { Link, Navigate, useParams } from 'react-router-dom'
import { useEnrollments, useProgram } from '../../features/programs/catalog-queries.ts'
import { DetailsFailure, DetailsSkeleton, DetailsStack } from '../../features/programs/components/program-details.tsx'
import { ProgramOffer } from '../../features/programs/components/program-offer.tsx'
import { programAddress } from '../../features/programs/program.ts'
import type { Failure } from '../../lib/http.ts'
import { useSession } from '../../lib/session.ts'
import { ActionBar } from '../../ui/action-bar.tsx'
import { formatRupees, stripRupeeSign } from '../../ui/money.ts'
import { PageTitle } from '../../ui/page-title.tsx'

/** The fee without its sign, which the button has already. */
const registrationFeeOf = ({ enrollmentDetails: { fee } }: Program): string =>
  stripRupeeSign(formatRupees(stripRupeeSign(fee) || defaultRegistrationFee))

/** The link to the registration. Faculty members see that only learners enroll. */
const RegisterAction = ({ program }: { program: Program }) =>
  useSession()?.user.role === 'faculty' ? (
    onlyLearnersEnroll
  ) : (
    <Button component={Link} to="/payment" state={{ registration: true, _id: program._id }} size="large" fullWidth>
      <span>{`Pay ₹${registrationFeeOf(program)} & Register Now`}</span>
    </Button>
  )

const Details = ({ program }: { program: Program }) => (
  <DetailsStack>
    <ProgramOffer program={program} />
    <ActionBar>
      <RegisterAction program={program} />
    </ActionBar>
  </DetailsStack>
)

const programRemoved: Failure = { success: false, code: 'not-found', message: 'Program not found' }

export const InactiveProgramPage = () => {
  const { programId = '' } = useParams()
  const { state, reload } = useProgram(programId)
  const enrollments = useEnrollments().state
  if (enrollments.kind === 'loaded' && enrollments.data.some((enrollment) => enrollment.programId === programId))
    return <Navigate to={programAddress(programId, true)} replace />
  const isWaiting = state.kind === 'loading' || enrollments.kind === 'loading'
  return (
    <>
      <PageTitle title="Program Details" back={{ to: '/my-program', label: 'My Programs' }} />
      {isWaiting && <DetailsSkeleton />}
      {!isWaiting && state.kind === 'failed' && <DetailsFailure failure={state.failure} onRetry={reload} />}
      {!isWaiting && state.kind === 'loaded' && !state.data && (
        <DetailsFailure failure={programRemoved} onRetry={reload} />
      )}
      {!isWaiting && state.kind === 'loaded' && state.data && <Details program={state.data} />}
    </>
  )
}
