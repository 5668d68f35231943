import Button from '@mui/material/Button'
import { onlyLearnersEnroll } from '@portal/contracts/catalog/enrollment'
import { defaultRegistrationFee, type Program } from '@portal/contracts/catalog/program'
import { Link, Navigate, useParams } from 'react-router-dom'
import type { Failure } from '../../lib/http.ts'
import { useSession } from '../../lib/session.ts'
import { ActionBar } from '../../ui/action-bar.tsx'
import { Facts } from '../../ui/facts.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { useEnrollments, useProgram } from '../../features/programs/catalog-queries.ts'
import { CourseFee } from '../../features/programs/components/course-fee.tsx'
import {
  DetailsFailure,
  DetailsSkeleton,
  DetailsStack,
  ProgramHead,
  ProgramText,
} from '../../features/programs/components/program-details.tsx'
import { ProgramFacts } from '../../features/programs/components/program-facts.tsx'
import { Section } from '../../features/programs/components/section.tsx'
import { StatementTiles } from '../../features/programs/components/statement-tiles.tsx'
import { ToolsGrid } from '../../features/programs/components/tools.tsx'
import { FacultyList } from '../../features/programs/faculty/faculty-list.tsx'
import { withoutSign } from '../../ui/money.ts'
import { programAddress, semestersText } from '../../features/programs/program.ts'

const termsOf = ({ semesterCount, collegeName, eligibility }: Program) =>
  [
    { name: 'Duration', value: semestersText(semesterCount) },
    { name: 'College', value: collegeName },
    { name: 'Eligibility', value: eligibility },
  ].filter(({ value }) => value !== '')

/** The link to the registration; faculty read that only learners enroll. */
const WayIn = ({ program }: { program: Program }) =>
  useSession()?.user.role === 'faculty' ? (
    onlyLearnersEnroll
  ) : (
    <Button
      component={Link}
      to="/payment"
      state={{ registration: true, _id: program._id }}
      size="large"
      fullWidth
    >{`Pay ₹${withoutSign(program.enrollmentDetails.fee) || defaultRegistrationFee} & Register Now`}</Button>
  )

const Details = ({ program }: { program: Program }) => (
  <DetailsStack>
    <ProgramHead program={program} />
    <ProgramText>{program.detail}</ProgramText>
    <StatementTiles />
    {program.facts.length > 0 && <ProgramFacts facts={program.facts} />}
    <Facts facts={termsOf(program)} />
    <CourseFee program={program} variant="not-registered" />
    {program.toolkit.length > 0 && (
      <Section title="Tools">
        <ToolsGrid tools={program.toolkit} />
      </Section>
    )}
    <Section title="Faculty">
      <FacultyList />
    </Section>
    <ActionBar>
      <WayIn program={program} />
    </ActionBar>
  </DetailsStack>
)

const removed: Failure = { success: false, code: 'not-found', message: 'Program not found' }

export const InactiveProgramPage = () => {
  const { programId = '' } = useParams()
  const { state, reload } = useProgram(programId)
  const enrollments = useEnrollments().state
  if (enrollments.kind === 'loaded' && enrollments.data.some((one) => one.programId === programId))
    return <Navigate to={programAddress(programId, true)} replace />
  const isWaiting = state.kind === 'loading' || enrollments.kind === 'loading'
  return (
    <>
      <PageTitle title="Program Details" back={{ to: '/my-program', label: 'My Programs' }} />
      {isWaiting && <DetailsSkeleton />}
      {!isWaiting && state.kind === 'failed' && <DetailsFailure failure={state.failure} onRetry={reload} />}
      {!isWaiting && state.kind === 'loaded' && !state.data && <DetailsFailure failure={removed} onRetry={reload} />}
      {!isWaiting && state.kind === 'loaded' && state.data && <Details program={state.data} />}
    </>
  )
}
