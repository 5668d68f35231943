import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { onlyLearnersEnroll } from '@portal/contracts/catalog/enrollment'
import { defaultRegistrationFee, type Program } from '@portal/contracts/catalog/program'
import { Link, Navigate, useParams } from 'react-router-dom'
import { useEnrollments, useProgram } from '../../features/programs/catalog-queries.ts'
import { CourseFee } from '../../features/programs/components/course-fee.tsx'
import { FacultyList } from '../../features/programs/components/faculty-list.tsx'
import {
  DetailsFailure,
  DetailsSkeleton,
  DetailsStack,
  ProgramHead,
  ProgramText,
} from '../../features/programs/components/program-details.tsx'
import { ProgramFacts } from '../../features/programs/components/program-facts.tsx'
import { Section } from '../../features/programs/components/section.tsx'
import { ToolsGrid } from '../../features/programs/components/tools.tsx'
import { quotation, statistic } from '../../features/programs/placeholders.ts'
import { programAddress, semestersText } from '../../features/programs/program.ts'
import type { Failure } from '../../lib/http.ts'
import { useSession } from '../../lib/session.ts'
import { ActionBar } from '../../ui/action-bar.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { stripRupeeSign } from '../../ui/money.ts'
import { PageTitle } from '../../ui/page-title.tsx'

const Tiles = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(3),
  '& > *': { margin: 0, padding: theme.spacing(5), borderRadius: theme.portal.radii.control },
  '& .statistic': {
    display: 'grid',
    gridTemplateColumns: 'auto 1fr',
    alignItems: 'center',
    gap: theme.spacing(5),
    color: theme.vars.palette.portal.brand.text,
    background: theme.vars.palette.portal.brand.background,
  },
  '& .figure': {
    ...theme.typography.h1,
    fontSize: theme.portal.pieces.figure,
    lineHeight: 1,
    fontVariantNumeric: 'tabular-nums',
  },
  '& .quotation': {
    ...theme.typography.h3,
    background: theme.vars.palette.portal.accentSoft,
    borderLeft: `4px solid ${theme.vars.palette.primary.main}`,
    textWrap: 'pretty',
  },
}))

/** A statistic and a quotation, the same for every program. */
export const StatementTiles = () => (
  <Tiles>
    <p className="statistic">
      <span className="figure">{statistic.figure}</span>
      <span>{statistic.text}</span>
    </p>
    <blockquote className="quotation">{quotation}</blockquote>
  </Tiles>
)

const termsOf = ({ semesterCount, collegeName, eligibility }: Program) =>
  [
    { name: 'Duration', value: semestersText(semesterCount) },
    { name: 'College', value: collegeName },
    { name: 'Eligibility', value: eligibility },
  ].filter(({ value }) => value !== '')

/** The link to the registration. Faculty members see that only learners enroll. */
const RegisterAction = ({ program }: { program: Program }) =>
  useSession()?.user.role === 'faculty' ? (
    onlyLearnersEnroll
  ) : (
    <Button
      component={Link}
      to="/payment"
      state={{ registration: true, _id: program._id }}
      size="large"
      fullWidth
    >{`Pay ₹${stripRupeeSign(program.enrollmentDetails.fee) || defaultRegistrationFee} & Register Now`}</Button>
  )

const Details = ({ program }: { program: Program }) => (
  <DetailsStack>
    <ProgramHead program={program} />
    <ProgramText>{program.detail}</ProgramText>
    <StatementTiles />
    {program.facts.length > 0 && <ProgramFacts facts={program.facts} />}
    <DescriptionList items={termsOf(program)} />
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
