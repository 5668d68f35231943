import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import type { Program } from '@portal/contracts/catalog/program'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { useEnrollments, usePrograms } from '../../../features/programs/catalog-queries.ts'
import { ProgramCard } from '../../../features/programs/components/program-card.tsx'
import { programAddress } from '../../../features/programs/program.ts'
import { ReservedLead } from '../../../features/landing/deferred-sections.tsx'
import type { LoadState } from '../../../lib/query.ts'
import { matchesAllWords, normalizeForSearch } from '../../../lib/search-text.ts'
import { useSession } from '../../../lib/session.ts'
import { useSearchText } from '../../../lib/use-search-text.ts'
import { BookletIllustration, UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { ListSearch, searchFromEntries } from '../../../ui/list-search.tsx'
import { DelayedFadeIn } from '../../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'
import { leadOf } from './program-lead.ts'

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

/** The number of cards until the user asks for all. */
const firstCards = 8

const Gallery = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(6),
  '& > button': { justifySelf: 'center' },
}))

/** Whether all cards are shown. In the address, so that Back and a reload return to the same list. */
const useShowsAll = () => {
  const [search, setSearch] = useSearchParams()
  const { state } = useLocation()
  const showAll = () =>
    setSearch(
      (current) => {
        const next = new URLSearchParams(current)
        next.set('programs', 'all')
        return next
      },
      { replace: true, state },
    )
  return [search.get('programs') === 'all', showAll] as const
}

type ProgramGalleryProps = {
  readonly programs: readonly Program[]
  readonly addressOf: (program: Program) => string
}

/** The first cards of a long list, a button for the rest, and a search. */
const ProgramGallery = ({ programs, addressOf }: ProgramGalleryProps) => {
  const [text, type, query] = useSearchText()
  const [showsAll, showAll] = useShowsAll()
  const [hasJustExpanded, setJustExpanded] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const found = programs.filter((program) =>
    matchesAllWords(normalizeForSearch(`${program.programName} ${program.programId}`), query),
  )
  const shown = showsAll ? found : found.slice(0, firstCards)

  // The button that had the focus is unmounted.
  useEffect(() => {
    if (hasJustExpanded && showsAll) list.current?.querySelectorAll('a')[firstCards]?.focus()
  }, [hasJustExpanded, showsAll])

  return (
    <Gallery>
      {programs.length >= searchFromEntries && (
        <ListSearch
          label="Search programs"
          value={text}
          onChange={type}
          found={found.length}
          total={programs.length}
          noun={['program', 'programs']}
        />
      )}
      {found.length === 0 ? (
        <EmptyState
          illustration={<BookletIllustration />}
          text={`No program matches “${query}”.`}
          action={
            <Button variant="outlined" color="secondary" onClick={() => type('')}>
              Show all programs
            </Button>
          }
        />
      ) : (
        <CardGrid ref={list}>
          {shown.map((program) => (
            <li key={program._id}>
              <ProgramCard program={program} to={addressOf(program)} />
            </li>
          ))}
        </CardGrid>
      )}
      {shown.length < found.length && (
        <Button
          size="large"
          variant="outlined"
          color="secondary"
          onClick={() => {
            showAll()
            setJustExpanded(true)
          }}
        >
          {`Show all ${found.length}`}
        </Button>
      )}
    </Gallery>
  )
}

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
    <ProgramGallery
      programs={programs.data}
      addressOf={({ _id }) => (isSignedIn ? programAddress(_id, enrolled.has(_id)) : '/login')}
    />
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
