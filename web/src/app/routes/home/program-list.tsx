import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import type { Program } from '@portal/contracts/catalog/program'
import { useEnrollments, usePrograms } from '../../../features/programs/catalog-queries.ts'
import { ProgramCard } from '../../../features/programs/components/program-card.tsx'
import { programAddress } from '../../../features/programs/program.ts'
import type { LoadState } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { BookletIllustration, UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { DelayedFadeIn } from '../../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'

const CardGrid = styled('ul')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 252px), 1fr))',
  gap: theme.spacing(5),
  listStyle: 'none',
  margin: 0,
  padding: 0,
  '& > li': { minHeight: theme.spacing(66) },
}))

/** As many skeletons as there are tracks. */
const placeholders = ['first', 'second', 'third', 'fourth']

const LoadingPrograms = () => (
  <DelayedFadeIn role="status" aria-label="Loading programs">
    <CardGrid as="div">
      {placeholders.map((key) => (
        <Skeleton key={key} variant="rounded" height={264} />
      ))}
    </CardGrid>
  </DelayedFadeIn>
)

type ProgramListContentProps = {
  readonly programs: LoadState<readonly Program[]>
  readonly enrollments: LoadState<readonly Enrollment[]>
  readonly isSignedIn: boolean
  readonly onRetry: () => void
}

const ProgramListContent = ({ programs, enrollments, isSignedIn, onRetry }: ProgramListContentProps) => {
  // A card's address depends on the enrollments. If they fail to load, the reader counts as not enrolled.
  if (programs.kind === 'loading' || (isSignedIn && enrollments.kind === 'loading')) return <LoadingPrograms />
  if (programs.kind === 'failed') {
    return (
      <ErrorState
        illustration={<UnpluggedIllustration />}
        text="Error loading programs"
        detail="Please try again later"
        onRetry={onRetry}
      />
    )
  }
  if (programs.data.length === 0) {
    return <EmptyState illustration={<BookletIllustration />} text="No programs available at the moment." />
  }
  const enrolled = new Set(enrollments.kind === 'loaded' ? enrollments.data.map(({ programId }) => programId) : [])
  return (
    <CardGrid>
      {programs.data.map((program) => (
        <li key={program._id}>
          <ProgramCard
            program={program}
            to={isSignedIn ? programAddress(program._id, enrolled.has(program._id)) : '/login'}
          />
        </li>
      ))}
    </CardGrid>
  )
}

/** The programs on offer. A card leads a visitor to the login page and a learner to the details of the program. */
export const ProgramList = () => {
  const isSignedIn = useSession() !== null
  const programs = usePrograms()
  const enrollments = useEnrollments()
  return (
    <ProgramListContent
      programs={programs.state}
      enrollments={enrollments.state}
      isSignedIn={isSignedIn}
      onRetry={() => void programs.reload()}
    />
  )
}
