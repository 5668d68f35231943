import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { onlyLearnersEnroll, type Enrollment } from '@portal/contracts/catalog/enrollment'
import type { Program } from '@portal/contracts/catalog/program'
import { useSession } from '../../lib/session.ts'
import type { LoadState } from '../../lib/query.ts'
import { BookletIllustration, UnpluggedIllustration } from '../../ui/illustrations.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { useEnrollments, usePrograms } from '../../features/programs/catalog-queries.ts'
import { CardList, CardsSkeleton, EnrolledCard, ProgramCard } from '../../features/programs/components/program-card.tsx'
import { Section } from '../../features/programs/components/section.tsx'
import { programAddress } from '../../features/programs/program.ts'

const Stack = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(10) }))

type Finished<T> = Exclude<LoadState<T>, { readonly kind: 'loading' }>

type EnrolledProps = { readonly enrollments: Finished<readonly Enrollment[]>; readonly onRetry: () => void }

const Enrolled = ({ enrollments, onRetry }: EnrolledProps) => {
  if (enrollments.kind === 'failed')
    return <ErrorState illustration={<UnpluggedIllustration />} text="Failed to load programs" onRetry={onRetry} />
  if (enrollments.data.length === 0)
    return <EmptyState illustration={<BookletIllustration />} text="You are not enrolled in any program yet" />
  return (
    <CardList
      cards={enrollments.data.map((enrollment) => (
        <EnrolledCard key={enrollment.programId} enrollment={enrollment} />
      ))}
    />
  )
}

type OthersProps = {
  readonly programs: LoadState<readonly Program[]>
  readonly enrollments: Finished<readonly Enrollment[]>
  readonly onRetry: () => void
}

const Others = ({ programs, enrollments, onRetry }: OthersProps) => {
  if (programs.kind === 'loading') return <CardsSkeleton label="Loading programs" count={3} heightPx={264} />
  if (programs.kind === 'failed')
    return (
      <ErrorState
        illustration={<UnpluggedIllustration />}
        text="Error loading programs"
        detail="Please try again later"
        onRetry={onRetry}
      />
    )
  if (programs.data.length === 0)
    return <EmptyState illustration={<BookletIllustration />} text="No programs available at the moment." />
  const enrolledIds = new Set(enrollments.kind === 'loaded' ? enrollments.data.map(({ programId }) => programId) : [])
  const others = programs.data.filter(({ _id }) => !enrolledIds.has(_id))
  if (others.length === 0)
    return <EmptyState illustration={<BookletIllustration />} text="No programs found. Please check back later." />
  return (
    <CardList
      cards={others.map((program) => (
        <ProgramCard key={program._id} program={program} to={programAddress(program._id, false)} />
      ))}
    />
  )
}

const LearnerPrograms = () => {
  const programs = usePrograms()
  const enrollments = useEnrollments()
  // The lower section waits for the upper one, so that its content is not pushed down.
  if (enrollments.state.kind === 'loading')
    return <CardsSkeleton label="Loading your programs" count={3} heightPx={184} />
  return (
    <Stack>
      <section aria-labelledby="enrolled-programs">
        <VisuallyHidden id="enrolled-programs" as="h2">
          Enrolled programs
        </VisuallyHidden>
        <Enrolled enrollments={enrollments.state} onRetry={enrollments.reload} />
      </section>
      <Section title="Other Minor Programs">
        <Others programs={programs.state} enrollments={enrollments.state} onRetry={programs.reload} />
      </Section>
    </Stack>
  )
}

const noEnrollments: Finished<readonly Enrollment[]> = { kind: 'loaded', data: [] }

/** Faculty members see all programs, and that only learners enroll. */
const FacultyPrograms = () => {
  const programs = usePrograms()
  return (
    <Section title="Programs on offer">
      <Typography color="textSecondary">{onlyLearnersEnroll}.</Typography>
      <Others programs={programs.state} enrollments={noEnrollments} onRetry={programs.reload} />
    </Section>
  )
}

export const MyProgramsPage = () => {
  const isFaculty = useSession()?.user.role === 'faculty'
  return (
    <>
      <PageTitle title="My Programs" />
      {isFaculty ? <FacultyPrograms /> : <LearnerPrograms />}
    </>
  )
}
