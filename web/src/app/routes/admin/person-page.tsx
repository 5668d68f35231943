import Button from '@mui/material/Button'
import { userIdSchema, type UserId } from '@portal/contracts/shared/ids'
import { getPerson } from '@portal/contracts/notifications/http'
import { useCallback } from 'react'
import { Link, useLocation, useParams } from 'react-router-dom'
import { peopleBackOf } from '../../../features/campaigns/people/people-query.ts'
import { PersonDetail } from '../../../features/campaigns/person/person-detail.tsx'
import { call } from '../../../lib/http.ts'
import { useRequestQuery } from '../../../lib/query.ts'
import { EmptyTrayIllustration, UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { PageSkeleton } from '../../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'

/** The recipients of a notification lead here, too. */
const backToNotifications = { to: '/admin/notifications', label: 'notifications' }

const useBack = () => peopleBackOf(useLocation().state) ?? backToNotifications

const NotFound = () => (
  <>
    <PageTitle title="Person not found" back={useBack()} />
    <EmptyState
      illustration={<EmptyTrayIllustration />}
      text="There is no account at this address"
      detail="It may have been deleted."
      action={
        <Button component={Link} to="/admin/notifications" variant="outlined" color="secondary">
          All notifications
        </Button>
      }
    />
  </>
)

/** One person and the last notifications sent to them. */
export const PersonPage = () => {
  const userId = userIdSchema.safeParse(useParams()['userId'])
  return userId.success ? <KnownPerson key={userId.data} userId={userId.data} /> : <NotFound />
}

const KnownPerson = ({ userId }: { readonly userId: UserId }) => {
  const request = useCallback((signal: AbortSignal) => call(getPerson, { params: { userId }, signal }), [userId])
  const back = useBack()
  const { state, reload } = useRequestQuery({ key: ['person', userId], request })
  switch (state.kind) {
    case 'loading':
      return (
        <>
          <PageTitle title="Person" back={back} />
          <PageSkeleton />
        </>
      )
    case 'failed':
      if (state.failure.code === 'not-found') return <NotFound />
      return (
        <>
          <PageTitle title="Person" back={back} />
          <ErrorState
            illustration={<UnpluggedIllustration />}
            text="Failed to load this person"
            detail={state.failure.message}
            onRetry={() => void reload()}
          />
        </>
      )
    case 'loaded':
      return <PersonDetail {...state.data} back={back} />
  }
}
