import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { onlyLearnersEnroll, type Enrollment } from '@portal/contracts/catalog/enrollment'
import type { Program } from '@portal/contracts/catalog/program'
import { useRef, type ReactNode } from 'react'
import { useSession } from '../../lib/session.ts'
import { normalizeText } from '@portal/contracts/shared/search-text'
import { matchesAllWords } from '../../lib/search-text.ts'
import { useSearchText } from '../../lib/use-search-text.ts'
import type { LoadState } from '../../lib/query.ts'
import { BookletIllustration, UnpluggedIllustration } from '../../ui/illustrations.tsx'
import { ListSearch, searchFromEntries } from '../../ui/list-search.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { useEnrollments, usePrograms } from '../../features/programs/catalog-queries.ts'
import { CardsSkeleton } from '../../features/programs/components/program-card.tsx'
import { EnrolledList, OfferedList } from '../../features/programs/components/program-lists.tsx'
import { rowsFromPrograms } from '../../features/programs/components/program-row.tsx'
import { Section } from '../../features/programs/components/section.tsx'

const Stack = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(10),
}))

type Finished<T> = Exclude<LoadState<T>, { readonly kind: 'loading' }>

const loadedOf = <T,>(state: LoadState<readonly T[]>): readonly T[] => (state.kind === 'loaded' ? state.data : [])

/** The texts that the search looks through. */
const matchesEnrollment = ({ programName }: Enrollment, query: string): boolean =>
  matchesAllWords(normalizeText(programName), query)
const matchesProgram = ({ programName, programId }: Program, query: string): boolean =>
  matchesAllWords(normalizeText(`${programName} ${programId}`), query)

type EnrolledProps = {
  readonly enrollments: Finished<readonly Enrollment[]>
  readonly query: string
  /** Moves to the list of the programs on offer; absent if there are none. */
  readonly onChoose: (() => void) | undefined
  readonly onRetry: () => void
}

const Enrolled = ({ enrollments, query, onChoose, onRetry }: EnrolledProps) => {
  if (enrollments.kind === 'failed')
    return <ErrorState illustration={<UnpluggedIllustration />} text="Failed to load programs" onRetry={onRetry} />
  if (enrollments.data.length === 0)
    return (
      <EmptyState
        isCompact
        text="You are not enrolled in any program yet"
        action={onChoose && <Button onClick={onChoose}>Choose your Minor</Button>}
      />
    )
  return (
    <EnrolledList
      enrollments={enrollments.data.filter((one) => matchesEnrollment(one, query))}
      areRows={enrollments.data.length >= rowsFromPrograms}
    />
  )
}

const ProgramsFailed = ({ onRetry }: { onRetry: () => void }) => (
  <ErrorState
    illustration={<UnpluggedIllustration />}
    text="Error loading programs"
    detail="Please try again later"
    onRetry={onRetry}
  />
)

type OthersProps = {
  readonly programs: LoadState<readonly Program[]>
  /** The programs in which the reader is not enrolled. */
  readonly others: readonly Program[]
  readonly query: string
  readonly onRetry: () => void
}

const Others = ({ programs, others, query, onRetry }: OthersProps) => {
  if (programs.kind === 'loading') return <CardsSkeleton label="Loading programs" count={3} heightPx={220} />
  if (programs.kind === 'failed') return <ProgramsFailed onRetry={onRetry} />
  if (programs.data.length === 0)
    return <EmptyState illustration={<BookletIllustration />} text="No programs available at the moment." />
  if (others.length === 0)
    return <EmptyState illustration={<BookletIllustration />} text="No programs found. Please check back later." />
  return (
    <OfferedList
      programs={others.filter((program) => matchesProgram(program, query))}
      areRows={others.length >= rowsFromPrograms}
    />
  )
}

type SearchedProps = {
  readonly total: number
  readonly found: (query: string) => number
  readonly children: (query: string) => ReactNode
}

/** A long list with a search above it. A short one ignores the query of the address. */
const Searched = ({ total, found, children }: SearchedProps) => {
  const [text, type, applied] = useSearchText()
  if (total < searchFromEntries) return children('')
  const matches = found(applied)
  return (
    <>
      <ListSearch
        label="Search programs"
        value={text}
        onChange={type}
        found={matches}
        total={total}
        noun={['program', 'programs']}
      />
      {matches > 0 ? (
        children(applied)
      ) : (
        <EmptyState
          illustration={<BookletIllustration />}
          text={`No program matches “${applied}”.`}
          action={
            <Button variant="outlined" color="secondary" onClick={() => type('')}>
              Show all programs
            </Button>
          }
        />
      )}
    </>
  )
}

const LearnerPrograms = () => {
  const programs = usePrograms()
  const enrollments = useEnrollments()
  const othersTitle = useRef<HTMLHeadingElement>(null)
  // The lower section waits for the upper one, so that its content is not pushed down.
  if (enrollments.state.kind === 'loading')
    return <CardsSkeleton label="Loading your programs" count={3} heightPx={184} />
  const finished = enrollments.state
  if (finished.kind === 'failed' && programs.state.kind === 'failed') {
    const reload = () => {
      void enrollments.reload()
      void programs.reload()
    }
    return <ProgramsFailed onRetry={reload} />
  }
  const own = loadedOf(finished)
  const enrolledIds = new Set(own.map(({ programId }) => programId))
  const others = loadedOf(programs.state).filter(({ _id }) => !enrolledIds.has(_id))
  const isOffered = programs.state.kind === 'loading' || others.length > 0
  const choose = () => {
    othersTitle.current?.scrollIntoView()
    othersTitle.current?.focus({ preventScroll: true })
  }
  const ownMatches = (query: string) => own.filter((one) => matchesEnrollment(one, query)).length
  const otherMatches = (query: string) => others.filter((program) => matchesProgram(program, query)).length
  return (
    <Stack>
      <Searched total={own.length + others.length} found={(query) => ownMatches(query) + otherMatches(query)}>
        {(query) => (
          <>
            {(query === '' || ownMatches(query) > 0) && (
              <section aria-labelledby="enrolled-programs">
                <VisuallyHidden id="enrolled-programs" as="h2">
                  Enrolled programs
                </VisuallyHidden>
                <Enrolled
                  enrollments={finished}
                  query={query}
                  onChoose={isOffered ? choose : undefined}
                  onRetry={enrollments.reload}
                />
              </section>
            )}
            {(query === '' || otherMatches(query) > 0) && (
              <Section title="Other Minor Programs" titleRef={othersTitle}>
                <Others programs={programs.state} others={others} query={query} onRetry={programs.reload} />
              </Section>
            )}
          </>
        )}
      </Searched>
    </Stack>
  )
}

/** Faculty members see all programs, and that only learners enroll. */
const FacultyPrograms = () => {
  const programs = usePrograms()
  const offered = loadedOf(programs.state)
  const matches = (query: string) => offered.filter((program) => matchesProgram(program, query)).length
  return (
    <Section title="Programs on offer">
      <Typography color="textSecondary">{`${onlyLearnersEnroll}.`}</Typography>
      <Searched total={offered.length} found={matches}>
        {(query) => <Others programs={programs.state} others={offered} query={query} onRetry={programs.reload} />}
      </Searched>
    </Section>
  )
}

export const MyProgramsPage = () => {
  const isFaculty = useSession()?.user.role === 'faculty'
  return (
    <>
      <PageTitle title={isFaculty ? 'Minor Programs' : 'My Programs'} />
      {isFaculty ? <FacultyPrograms /> : <LearnerPrograms />}
    </>
  )
}
