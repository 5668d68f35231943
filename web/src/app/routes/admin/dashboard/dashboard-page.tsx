import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import { listUniversities } from '@portal/contracts/catalog/http'
import { findPeople } from '@portal/contracts/notifications/people'
import { useDeferredValue, useEffect } from 'react'
import { Link } from 'react-router-dom'
import { formatCount } from '../../../../features/campaigns/progress.ts'
import { LogOutButton } from '../../../../features/profile/components/log-out-button.tsx'
import { loadPrograms } from '../../../../features/programs/admin/api.ts'
import { call, type Answer } from '../../../../lib/http.ts'
import { useRequestQuery } from '../../../../lib/query.ts'
import { PageTitle } from '../../../../ui/page-title.tsx'
import { DelayedFadeIn } from '../../../../ui/skeletons.tsx'
import { ActivitySection } from './activity/activity-section.tsx'
import { RecentCampaigns } from './recent-campaigns.tsx'
import { StatusList } from './status/status-list.tsx'

const counted = <T,>(answer: Answer<T>, count: (data: T) => number): Answer<number> =>
  answer.success ? { success: true, data: count(answer.data) } : answer

const countUniversities = async (signal: AbortSignal) =>
  counted(await call(listUniversities, { signal }), (universities) => universities.length)

/** A page of one user, because all users of a large portal are megabytes. */
const countUsers = async (signal: AbortSignal) =>
  counted(await call(findPeople, { query: { limit: 1 }, signal }), ({ pagination }) => pagination.total)

const countPrograms = async (signal: AbortSignal) => counted(await loadPrograms(signal), (programs) => programs.length)

const Row = styled('ul')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(150px, 1fr))',
  margin: 0,
  padding: 0,
  listStyle: 'none',
  borderBlock: `1px solid ${theme.vars.palette.divider}`,
}))

const Card = styled('li')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column-reverse',
  justifyContent: 'flex-end',
  padding: theme.spacing(5, 4, 5, 0),
  '& .figure': {
    ...theme.typography.h1,
    fontSize: theme.portal.pieces.count,
    lineHeight: 1.1,
    fontVariantNumeric: 'tabular-nums',
  },
  '& .figure.none': { color: theme.vars.palette.text.secondary },
  '& .name': { ...theme.typography.body2, color: theme.vars.palette.text.secondary },
  // Stretch the link over the whole card.
  position: 'relative',
  '& a': { color: 'inherit', textUnderlineOffset: '0.2em', outline: 'none' },
  '& a::after': { content: '""', position: 'absolute', inset: theme.spacing(1, 4, 1, -2), borderRadius: 6 },
  '& a:hover::after': { background: theme.vars.palette.action.hover },
  '& a:focus-visible::after': { outline: `2px solid ${theme.vars.palette.text.primary}` },
}))

/** Shown if a count is unknown: no route counts enrollments, and a failed request is only logged. */
const unknownCount = '--'

const Unknown = () => <span className="figure none">{unknownCount}</span>

const Figure = ({ request, name }: { request: (signal: AbortSignal) => Promise<Answer<number>>; name: string }) => {
  const { state } = useRequestQuery({ key: ['count', name], request })
  useEffect(() => {
    if (state.kind === 'failed') console.error(`Counting ${name} failed`, state.failure.message)
  }, [state, name])
  if (state.kind === 'loading')
    return (
      <DelayedFadeIn>
        <Skeleton variant="rounded" width={64} height={44} />
      </DelayedFadeIn>
    )
  if (state.kind === 'failed') return <Unknown />
  return <span className="figure">{formatCount(state.data)}</span>
}

const CountCards = () => (
  <Row aria-label="Counts">
    <Card>
      <Figure request={countUniversities} name="Universities" />
      <span className="name">
        <Link to="/admin/universities">Universities</Link>
      </span>
    </Card>
    <Card>
      <Figure request={countUsers} name="Users" />
      <span className="name">
        <Link to="/admin/dashboard/users">Users</Link>
      </span>
    </Card>
    <Card>
      <Figure request={countPrograms} name="Programs" />
      <span className="name">
        <Link to="/admin/programs">Programs</Link>
      </span>
    </Card>
    <Card>
      <Unknown />
      <span className="name">Enrollments</span>
    </Card>
  </Row>
)

const QuietLink = styled(Link)(({ theme }) => ({
  ...theme.typography.body2,
  display: 'inline-flex',
  alignItems: 'center',
  minHeight: theme.portal.sizes.target,
  color: theme.vars.palette.text.secondary,
  textUnderlineOffset: '0.2em',
  '&:hover': { color: theme.vars.palette.text.primary },
}))

const Stack = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(12) }))

export const DashboardPage = () => {
  // The sections follow in tasks of their own, so that a phone answers taps before them.
  const areSectionsShown = useDeferredValue(true, false)
  return (
    <>
      <PageTitle title="Dashboard" actions={<LogOutButton />} />
      <Stack>
        <div>
          <StatusList />
          <CountCards />
          <QuietLink to="/admin/dashboard/audit">Who did what</QuietLink>
        </div>
        {areSectionsShown && (
          <>
            <ActivitySection />
            <RecentCampaigns />
          </>
        )}
      </Stack>
    </>
  )
}
