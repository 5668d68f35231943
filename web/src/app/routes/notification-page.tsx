import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { type InboxItem, withdrawnTitle } from '@portal/contracts/notifications/notification'
import { useEffect } from 'react'
import { Link as RouterLink, useNavigate, useParams } from 'react-router-dom'
import { EmptyTrayIllustration, UnpluggedIllustration } from '../../ui/illustrations.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { PageSkeleton } from '../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { exactTime } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast/atoms.ts'
import { TypeBadge } from '../../ui/type-badge.tsx'
import { useNotification } from '../../features/notifications/use-notification.ts'

const notFoundReturnMs = 2_000

const Article = styled('article')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(4),
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  margin: theme.spacing(0, -5),
  padding: theme.spacing(5, 5, 0),
  '& header': { display: 'grid', gap: theme.spacing(3) },
  '& .facts': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(1, 3) },
  '& .message': { maxWidth: theme.portal.measure, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
}))

const Body = ({ item }: { item: InboxItem }) => (
  <Article>
    <header>
      <Typography variant="h2">{item.title || 'Notification'}</Typography>
      <div className="facts">
        <TypeBadge type={item.type} />
        <Typography variant="body2" color="textSecondary" component="time" dateTime={item.deliveredAt}>
          {exactTime(item.deliveredAt)}
        </Typography>
      </div>
    </header>
    <Typography className="message">{item.message || 'No additional details available.'}</Typography>
  </Article>
)

/** Shows that the notification does not exist, and returns to the list after two seconds. */
const NotFound = () => {
  const toast = useToast()
  const navigate = useNavigate()
  useEffect(() => {
    toast.error('Notification not found')
    const timer = setTimeout(() => void navigate('/notification', { replace: true }), notFoundReturnMs)
    return () => clearTimeout(timer)
  }, [toast, navigate])
  return <ErrorState illustration={<UnpluggedIllustration />} text="Notification not found" />
}

/** The page goes quiet: the user has done nothing wrong, so there is no error. */
const Withdrawn = () => (
  <EmptyState
    illustration={<EmptyTrayIllustration />}
    text={withdrawnTitle}
    action={
      <Button component={RouterLink} to="/notification" variant="outlined" color="secondary">
        All notifications
      </Button>
    }
  />
)

export const NotificationPage = () => {
  const { id = '' } = useParams()
  const { state, reload } = useNotification(id)
  return (
    <>
      <PageTitle title="Notification Details" back={{ to: '/notification', label: 'notifications' }} />
      {state.kind === 'loading' && <PageSkeleton />}
      {state.kind === 'not-found' && <NotFound />}
      {state.kind === 'withdrawn' && <Withdrawn />}
      {state.kind === 'failed' && (
        <ErrorState illustration={<UnpluggedIllustration />} text="Failed to load notification" onRetry={reload} />
      )}
      {state.kind === 'loaded' && <Body item={state.item} />}
    </>
  )
}
