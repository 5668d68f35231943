import Button from '@mui/material/Button'
import { notificationIdSchema, type NotificationId } from '@portal/contracts/shared/ids'
import { Link, useParams } from 'react-router-dom'
import { CampaignDetail } from '../../../features/campaigns/detail/campaign-detail.tsx'
import { useCampaign } from '../../../features/campaigns/detail/use-campaign.ts'
import { EmptyTrayIllustration, UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { PageSkeleton } from '../../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'

const back = { to: '/admin/notifications', label: 'notifications' }

const NotFound = () => (
  <>
    <PageTitle title="Notification not found" back={back} />
    <EmptyState
      illustration={<EmptyTrayIllustration />}
      text="There is no notification at this address"
      detail="The address may be incomplete."
      action={
        <Button component={Link} to="/admin/notifications" variant="outlined" color="secondary">
          All notifications
        </Button>
      }
    />
  </>
)

/** One sent notification: its recipients, and what admins can do with it. */
export const CampaignPage = () => {
  const id = notificationIdSchema.safeParse(useParams()['id'])
  return id.success ? <KnownCampaign key={id.data} id={id.data} /> : <NotFound />
}

const KnownCampaign = ({ id }: { readonly id: NotificationId }) => {
  const { state, reload } = useCampaign(id)
  switch (state.kind) {
    case 'loading':
      return (
        <>
          <PageTitle title="Sent Notification" back={back} />
          <PageSkeleton />
        </>
      )
    case 'failed':
      if (state.failure.code === 'not-found') return <NotFound />
      return (
        <>
          <PageTitle title="Sent Notification" back={back} />
          <ErrorState
            illustration={<UnpluggedIllustration />}
            text="Failed to load notification"
            detail={state.failure.message}
            onRetry={() => void reload()}
          />
        </>
      )
    case 'loaded':
      return <CampaignDetail details={state.data} back={back} reload={reload} />
  }
}
