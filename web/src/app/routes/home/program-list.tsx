import Skeleton from '@mui/material/Skeleton'
import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import type { Program } from '@portal/contracts/catalog/program'
import { lazy, Suspense } from 'react'
import { useEnrollments, usePrograms } from '../../../features/programs/catalog-queries.ts'
import { programAddress } from '../../../features/programs/program.ts'
import { ReservedLead } from '../../../features/landing/deferred-sections.tsx'
import { loadForPage } from '../../../lib/load-module.ts'
import type { LoadState } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { BookletIllustration, UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { DelayedFadeIn } from '../../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'
import { CardGrid, firstCards, ProgramCards } from './program-cards.tsx'
import { leadOf } from './program-lead.ts'

/** There is a skeleton for each track. */
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

/** Has the search, which a short list does without. */
const ProgramGallery = lazy(async () => {
  const { ProgramGallery: Gallery } = await loadForPage(() => import('./program-gallery.tsx'))
  return { default: Gallery }
})

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
  const addressOf = ({ _id }: Program) => (isSignedIn ? programAddress(_id, enrolled.has(_id)) : '/login')
  if (programs.data.length <= firstCards) return <ProgramCards programs={programs.data} addressOf={addressOf} />
  return (
    <Suspense fallback={<LoadingPrograms />}>
      <ProgramGallery programs={programs.data} addressOf={addressOf} />
    </Suspense>
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

/** One sentence about all programs. Until they are known, it reserves its space. */
export const ProgramLead = () => {
  const { state } = usePrograms()
  return state.kind === 'loaded' ? leadOf(state.data) : <ReservedLead />
}
