import Button from '@mui/material/Button'
import GlobalStyles from '@mui/material/GlobalStyles'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { LatestNotifications } from '../../../features/notifications/components/latest-notifications.tsx'
import { useEnrollments, usePrograms } from '../../../features/programs/catalog-queries.ts'
import { ChooseProgram, OwnPrograms } from '../../../features/programs/components/own-programs.tsx'
import { weekdayMonthDay } from '../../../lib/date-format.ts'
import { useSession } from '../../../lib/session.ts'
import { isGreetable } from '../../../ui/greetable.ts'
import { PageTitle } from '../../../ui/page-title.tsx'
import { DelayedFadeIn } from '../../../ui/skeletons.tsx'
import { useThisHour } from '../../../ui/time.tsx'

const Band = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(8),
  width: '100%',
  maxWidth: theme.portal.sizes.page,
  marginInline: 'auto',
  padding: theme.spacing(2, 5, 12),
  // Reserve the height of three notifications, so that the content below does not move when they load.
  '& > .notifications': { minHeight: theme.spacing(99) },
  // It loads meanwhile, and appears once the height of the programs above it is known.
  '&[data-waiting] > .notifications': { visibility: 'hidden' },
  '& h1': { overflowWrap: 'anywhere' },
  [theme.breakpoints.up('md')]: {
    // The rows reach the edges of their column, as on a phone.
    '& > .notifications': { paddingInline: theme.spacing(5) },
    gridTemplateColumns: 'minmax(0, 5fr) minmax(0, 7fr)',
    gap: theme.spacing(14),
    padding: theme.spacing(8, 10, 16),
    // As large as the title of a section, since it has a column of its own.
    '& h1': { fontSize: theme.portal.posters.section, lineHeight: 1.08, letterSpacing: '-0.025em', textWrap: 'wrap' },
  },
}))

const Today = styled(Typography)(({ theme }) => ({
  marginTop: theme.spacing(-5),
  marginBottom: theme.spacing(6),
  [theme.breakpoints.up('md')]: { marginTop: theme.spacing(-2), marginBottom: theme.spacing(8) },
}))

/** Moves toasts below the brand and the greeting. */
const MessagesBelowGreeting = () => (
  <GlobalStyles styles={(theme) => ({ ':root': { '--page-head': theme.spacing(31) } })} />
)

const Programs = styled('section')(({ theme }) => ({ display: 'grid', gap: theme.spacing(3) }))

const greetingAt = (hour: number): string => {
  if (hour < 5) return 'Good evening'
  if (hour < 12) return 'Good morning'
  return hour < 17 ? 'Good afternoon' : 'Good evening'
}

const greetingOf = (fullName: string, hour: number): string => {
  const firstName = fullName.trim().split(/\s+/)[0] ?? ''
  return isGreetable(firstName) ? `${greetingAt(hour)}, ${firstName}` : greetingAt(hour)
}

const ProgramsSection = ({ children }: { children: ReactNode }) => (
  <Programs aria-labelledby="your-programs">
    <Typography variant="h3" component="h2" id="your-programs">
      Your programs
    </Typography>
    {children}
  </Programs>
)

const ProgramsFailure = ({ onRetry }: { onRetry: () => void }) => (
  <div role="alert">
    <Typography color="textSecondary">Failed to load programs</Typography>
    <Button variant="text" onClick={onRetry} sx={{ ml: -3 }}>
      Try again
    </Button>
  </div>
)

/** What a signed-in user sees first: their programs, then the latest notifications. Faculty members have no programs. */
export const LearnerHome = () => {
  const session = useSession()
  const hour = new Date(useThisHour())
  const enrollments = useEnrollments()
  const programs = usePrograms().state
  if (!session) return null
  const own = enrollments.state
  const isNotEnrolled = own.kind === 'loaded' && own.data.length === 0
  // The covers come together with the card, so that it does not grow.
  const isWaiting = own.kind === 'loading' || (isNotEnrolled && programs.kind === 'loading')
  const offered = programs.kind === 'loaded' ? programs.data : []
  return (
    <Band data-waiting={isWaiting || undefined}>
      <MessagesBelowGreeting />
      <div>
        <PageTitle title={greetingOf(session.user.fullName, hour.getHours())} tabTitle="Home" />
        <Today color="textSecondary">{weekdayMonthDay(hour)}</Today>
        {session.user.role !== 'faculty' && (
          <ProgramsSection>
            {isWaiting && (
              <DelayedFadeIn role="status" aria-label="Loading your programs">
                <Skeleton variant="rounded" height={164} />
              </DelayedFadeIn>
            )}
            {own.kind === 'failed' && <ProgramsFailure onRetry={() => void enrollments.reload()} />}
            {!isWaiting && isNotEnrolled && <ChooseProgram programs={offered} />}
            {own.kind === 'loaded' && own.data.length > 0 && <OwnPrograms enrollments={own.data} programs={offered} />}
          </ProgramsSection>
        )}
      </div>
      <div className="notifications">
        <LatestNotifications />
      </div>
    </Band>
  )
}
