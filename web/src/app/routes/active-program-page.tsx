import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import type { EnrolledProgram } from '@portal/contracts/catalog/enrollment'
import { Navigate, useParams } from 'react-router-dom'
import type { Failure } from '../../lib/http.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { useToast } from '../../ui/toast/atoms.ts'
import { useEnrolledProgram, useEnrollments } from '../../features/programs/catalog-queries.ts'
import { CourseFee } from '../../features/programs/components/course-fee.tsx'
import {
  DetailsFailure,
  DetailsSkeleton,
  DetailsStack,
  isMissing,
  ProgramHead,
  ProgramText,
  WithdrawnNotice,
} from '../../features/programs/components/program-details.tsx'
import { ProgressBar } from '../../features/programs/components/progress-bar.tsx'
import { SampleNote, sampleProgresses } from '../../features/programs/components/sample-note.tsx'
import { Section } from '../../features/programs/components/section.tsx'
import { ToolsGrid } from '../../features/programs/components/tools.tsx'
import { FacultyList } from '../../features/programs/components/faculty-list.tsx'
import {
  currentSemester,
  overallProgressPercent,
  semesterProgressPercent,
} from '../../features/programs/placeholders.ts'
import { programAddress } from '../../features/programs/program.ts'

const Progress = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(5),
  color: theme.vars.palette.primary.main,
  '& span': { color: theme.vars.palette.text.primary },
}))

/** Lessons are not part of the portal yet. */
const ContinueButton = () => {
  const toast = useToast()
  return (
    <Button
      size="large"
      fullWidth
      onClick={() => toast.info('Lessons open when the semester starts', { subject: 'lessons' })}
    >
      Continue Learning
    </Button>
  )
}

const Details = ({ program }: { program: EnrolledProgram }) => (
  <DetailsStack>
    <ProgramHead program={program}>
      <span>{`${program.semesterCount} Semester`}</span>
      <span>Online</span>
    </ProgramHead>
    {program.enrollment.withdrawnAt !== null && <WithdrawnNotice since={program.enrollment.withdrawnAt} />}
    <ProgramText>{program.detail}</ProgramText>
    <Section title="Your progress">
      <Progress>
        <ProgressBar label="Overall progress" percent={overallProgressPercent} />
        <ProgressBar label={currentSemester} percent={semesterProgressPercent} />
      </Progress>
      <SampleNote>{sampleProgresses}</SampleNote>
      <ContinueButton />
    </Section>
    <CourseFee program={program} variant="enrolled" enrollment={program.enrollment} />
    {program.toolkit.length > 0 && (
      <Section title="Tools">
        <ToolsGrid tools={program.toolkit} />
      </Section>
    )}
    <Section title="Faculty">
      <FacultyList />
    </Section>
  </DetailsStack>
)

/** Shown if the server has no such enrollment: a user who is not enrolled is redirected to the public page of the program. */
const NotEnrolled = ({ id, failure, onRetry }: { id: string; failure: Failure; onRetry: () => void }) => {
  const { state } = useEnrollments()
  if (state.kind === 'loading') return <DetailsSkeleton />
  const isNotEnrolled = state.kind === 'loaded' && !state.data.some(({ programId }) => programId === id)
  return isNotEnrolled ? (
    <Navigate to={programAddress(id, false)} replace />
  ) : (
    <DetailsFailure failure={failure} onRetry={onRetry} />
  )
}

export const ActiveProgramPage = () => {
  const { programId = '' } = useParams()
  const { state, reload } = useEnrolledProgram(programId)
  return (
    <>
      <PageTitle title="Program Details" back={{ to: '/my-program', label: 'My Programs' }} />
      {state.kind === 'loading' && <DetailsSkeleton />}
      {state.kind === 'failed' && isMissing(state.failure) && (
        <NotEnrolled id={programId} failure={state.failure} onRetry={reload} />
      )}
      {state.kind === 'failed' && !isMissing(state.failure) && (
        <DetailsFailure failure={state.failure} onRetry={reload} />
      )}
      {state.kind === 'loaded' && <Details program={state.data} />}
    </>
  )
}
