import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { type InboxItem, withdrawnTitle } from '@portal/contracts/notifications/notification'
import { use, useEffect, type ReactNode } from 'react'
import { Link as RouterLink, useNavigate, useParams } from 'react-router-dom'
import { EmptyTrayIllustration, UnpluggedIllustration } from '../../ui/illustrations.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { PageSkeleton } from '../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { exactTime } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast/atoms.ts'
import { TypeBadge } from '../../ui/type-badge.tsx'
import { useShortcuts } from '../../ui/use-shortcuts.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { LinkedText } from '../../features/notifications/components/linked-text.tsx'
import { useInboxPlace } from '../../features/notifications/use-inbox-place.ts'
import { useNeighbors, type Neighbors } from '../../features/notifications/use-neighbors.ts'
import { useNotification } from '../../features/notifications/use-notification.ts'
import { InboxPaneContext } from './inbox-pane.ts'

const notFoundReturnMs = 2_000

const Article = styled('article')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(4),
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  margin: theme.spacing(0, -5),
  padding: theme.spacing(5, 5, 0),
  '& header': { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: theme.spacing(3) },
  '& h2': { overflowWrap: 'anywhere' },
  '& .facts': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(1, 3) },
  '& .message': { maxWidth: theme.portal.measure, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
}))

/** Fills the window, so that the bar is at the thumb. */
const Filling = styled('div')({ flex: 1, display: 'flex', flexDirection: 'column' })

const Neighboring = styled('nav')(({ theme }) => ({
  position: 'sticky',
  bottom: `calc(${theme.portal.sizes.bottomBar}px + env(safe-area-inset-bottom))`,
  display: 'flex',
  justifyContent: 'space-between',
  margin: theme.spacing(0, -5, -8),
  marginTop: 'auto',
  padding: theme.spacing(2, 3),
  background: theme.vars.palette.background.default,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& .MuiButton-root': { minHeight: theme.portal.sizes.target },
  '& [aria-disabled="true"]': { color: theme.vars.palette.text.disabled, cursor: 'default' },
  // Beside the list, the pane scrolls by itself.
  'section > &': { bottom: 0, margin: theme.spacing(6, -5, 0) },
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
    <Typography className="message">
      <LinkedText text={item.message || 'No additional details available.'} />
    </Typography>
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

/** Beside the list, the page has the title of the list. */
const PaneTitle = () => (
  <Typography variant="h3" component="h2" sx={{ marginBottom: 4 }}>
    Notification Details
  </Typography>
)

const NeighborBar = ({ neighbors: { hasNewer, hasOlder, open } }: { neighbors: Neighbors }) => {
  const isPane = use(InboxPaneContext)
  const step = (direction: 'newer' | 'older', isPossible: boolean) => () => {
    if (!isPossible) return
    if (!isPane) window.scrollTo(0, 0)
    open(direction)
  }
  const [newer, older] = [step('newer', hasNewer), step('older', hasOlder)]
  useShortcuts({ j: older, k: newer })
  return (
    <Neighboring aria-label="Other notifications">
      <Button variant="text" color="secondary" aria-keyshortcuts="k" aria-disabled={!hasNewer} onClick={newer}>
        Newer
      </Button>
      <Button variant="text" color="secondary" aria-keyshortcuts="j" aria-disabled={!hasOlder} onClick={older}>
        Older
      </Button>
    </Neighboring>
  )
}

const Frame = ({ children }: { children: ReactNode }) => {
  const { search } = useInboxPlace()
  if (use(InboxPaneContext))
    return (
      <section aria-label="Notification Details">
        <PaneTitle />
        {children}
      </section>
    )
  return (
    <Filling data-fills>
      <PageTitle title="Notification Details" back={{ to: `/notification${search}`, label: 'notifications' }} />
      {children}
    </Filling>
  )
}

export const NotificationPage = () => {
  const { id = '' } = useParams()
  const { state, reload } = useNotification(id)
  const neighbors = useNeighbors(id)
  return (
    <Frame>
      {state.kind === 'loading' && <PageSkeleton />}
      {state.kind === 'not-found' && <NotFound />}
      {state.kind === 'withdrawn' && <Withdrawn />}
      {state.kind === 'failed' && (
        <ErrorState illustration={<UnpluggedIllustration />} text="Failed to load notification" onRetry={reload} />
      )}
      {state.kind === 'loaded' && <Body item={state.item} />}
      <VisuallyHidden aria-live="polite">{state.kind === 'loaded' ? state.item.title : ''}</VisuallyHidden>
      {neighbors && <NeighborBar neighbors={neighbors} />}
    </Frame>
  )
}
