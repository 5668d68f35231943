import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled, type Theme } from '@mui/material/styles'
import { type InboxItem, withdrawnTitle } from '@portal/contracts/notifications/notification'
import { Fragment, use, useEffect, type ReactNode } from 'react'
import { Link as RouterLink, useNavigate, useParams } from 'react-router-dom'
import { EmptyTrayIllustration, UnpluggedIllustration } from '../../ui/illustrations.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { PageSkeleton } from '../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { keepPlace } from '../../ui/keep-place.ts'
import { languageOf } from '../../ui/text-language.ts'
import { exactTime } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast/atoms.ts'
import { WidePicture } from '../../ui/optional-picture.tsx'
import { TypeBadge } from '../../ui/type-badge.tsx'
import { useShortcuts } from '../../ui/use-shortcuts.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { ButtonLink } from '../../features/notifications/components/button-link.tsx'
import { LinkedText } from '../../features/notifications/components/linked-text.tsx'
import { useInboxPlace } from '../../features/notifications/use-inbox-place.ts'
import { useNeighbors, type Neighbors } from '../../features/notifications/use-neighbors.ts'
import { useNotification } from '../../features/notifications/use-notification.ts'
import { focusRow } from '../../features/notifications/use-row-keys.ts'
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
  // As high as its line, with the target around it.
  '& .copy': { margin: theme.spacing(-2.5, -3, -2.5, 'auto') },
  '& .message': {
    maxWidth: theme.portal.measure,
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    // Each paragraph has the direction of its own language.
    unicodeBidi: 'plaintext',
  },
}))

/** Fills the window, so that the bar is at the thumb. */
const Filling = styled('div')({ flex: 1, display: 'flex', flexDirection: 'column' })

const atThumb = (theme: Theme) =>
  ({
    position: 'sticky',
    bottom: 'calc(var(--bottom-bar) + env(safe-area-inset-bottom))',
    margin: theme.spacing(0, -5, -8),
    marginTop: 'auto',
    background: theme.vars.palette.background.default,
    borderTop: `1px solid ${theme.vars.palette.divider}`,
  }) as const

const Bar = styled('div')(({ theme }) => ({
  ...atThumb(theme),
  display: 'flex',
  justifyContent: 'space-between',
  '& > :only-child': { margin: '0 auto' },
  padding: theme.spacing(2, 3),
  '& .MuiButton-root': { minHeight: theme.portal.sizes.target },
  '& [aria-disabled="true"]': { color: theme.vars.palette.text.disabled, cursor: 'default' },
  // Beside the list, the pane scrolls by itself.
  'section > &': { bottom: 0, margin: theme.spacing(6, -5, 0) },
}))

const Opening = styled('div')(({ theme }) => ({
  marginTop: theme.spacing(6),
  // The bar must not cover it when it gets the focus.
  '& a': { scrollMarginBottom: `calc(var(--bottom-bar) + ${2 * theme.portal.sizes.target}px)` },
}))

/** The button of the notification and the bar. A short window has no room for both, so the button is below the message. */
const Thumb = styled('div')(({ theme }) => ({
  ...atThumb(theme),
  '& > :last-child': { position: 'static', margin: 0, borderTop: 0 },
  '& > :not(:last-child)': { margin: 0, padding: theme.spacing(3, 5, 0) },
  [theme.portal.shortWindow]: {
    display: 'contents',
    '& > :last-child': atThumb(theme),
    '& > :not(:last-child)': { margin: theme.spacing(6, 0), padding: 0 },
  },
}))

const CopyButton = ({ item }: { item: InboxItem }) => {
  const toast = useToast()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(
        [
          item.title,
          item.message,
          item.button && `${item.button.label}: ${new URL(item.button.url, location.href).href}`,
        ]
          .filter(Boolean)
          .join('\n\n'),
      )
      toast.success('Notification copied', { subject: 'copy' })
    } catch (error) {
      console.warn('copying the notification failed', error)
      toast.error('Failed to copy. Select the text to copy it.', { subject: 'copy' })
    }
  }
  return (
    <Button className="copy" variant="text" size="small" color="secondary" onClick={() => void copy()}>
      Copy
    </Button>
  )
}

const Body = ({ item }: { item: InboxItem }) => (
  <Article>
    <header>
      <Typography variant="h2" lang={item.lang ?? languageOf(item.title)} dir="auto">
        {item.title || 'Notification'}
      </Typography>
      <div className="facts">
        <TypeBadge type={item.type} />
        <Typography variant="body2" color="textSecondary" component="time" dateTime={item.deliveredAt}>
          {exactTime(item.deliveredAt)}
        </Typography>
        <CopyButton item={item} />
      </div>
    </header>
    {item.image !== undefined && <WidePicture url={item.image} />}
    <Typography className="message" lang={item.lang ?? languageOf(item.message)} dir="auto">
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

/** The title of the pane beside the list. The title of the page is that of the list. */
const PaneTitle = () => (
  <Typography variant="h3" component="h2" sx={{ marginBottom: 4 }}>
    Notification Details
  </Typography>
)

/** Returns to the list and leaves the notification unread there. */
const useLeaveUnread = (item: InboxItem | undefined, markUnread: (item: InboxItem) => void) => {
  const isPane = use(InboxPaneContext)
  const { search } = useInboxPlace()
  const navigate = useNavigate()
  return () => {
    if (!item) return
    // The pane with the pressed button closes.
    if (isPane) focusRow(item._id)
    void navigate(`/notification${search}`, isPane ? { state: keepPlace } : {})
    markUnread(item)
  }
}

const useSteps = ({ hasNewer, hasOlder, open }: Neighbors) => {
  const isPane = use(InboxPaneContext)
  const step = (direction: 'newer' | 'older', isPossible: boolean) => () => {
    if (!isPossible) return
    if (!isPane) window.scrollTo(0, 0)
    open(direction)
  }
  return { newer: step('newer', hasNewer), older: step('older', hasOlder) }
}

/** A notification that was not opened from a list has no neighbors. */
const noNeighbors: Neighbors = { hasNewer: false, hasOlder: false, open: () => undefined }

type ActionBarProps = {
  readonly item: InboxItem | undefined
  readonly neighbors: Neighbors | undefined
  readonly markUnread: (item: InboxItem) => void
}

const ActionBar = ({ item, neighbors, markUnread }: ActionBarProps) => {
  const isPane = use(InboxPaneContext)
  const { hasNewer, hasOlder } = neighbors ?? noNeighbors
  const { newer, older } = useSteps(neighbors ?? noNeighbors)
  const leaveUnread = useLeaveUnread(item, markUnread)
  useShortcuts({ ...(neighbors && { j: older, k: newer }), ...(item && { u: leaveUnread }) })
  if (!item && !neighbors) return null
  const bar = (
    <Bar role="group" aria-label="This and other notifications">
      {neighbors && (
        <Button variant="text" color="secondary" aria-keyshortcuts="k" aria-disabled={!hasNewer} onClick={newer}>
          Newer
        </Button>
      )}
      {item && (
        <Button variant="text" color="secondary" aria-keyshortcuts="u" onClick={leaveUnread}>
          Mark as unread
        </Button>
      )}
      {neighbors && (
        <Button variant="text" color="secondary" aria-keyshortcuts="j" aria-disabled={!hasOlder} onClick={older}>
          Older
        </Button>
      )}
    </Bar>
  )
  if (!item?.button) return bar
  const Around = isPane ? Fragment : Thumb
  return (
    <Around>
      <Opening>
        <ButtonLink id={item._id} button={item.button} />
      </Opening>
      {bar}
    </Around>
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
  const { state, reload, markUnread } = useNotification(id)
  const neighbors = useNeighbors(id)
  const { title, lang } = state.kind === 'loaded' ? state.item : { title: '' }
  return (
    <Frame>
      {state.kind === 'loading' && <PageSkeleton />}
      {state.kind === 'not-found' && <NotFound />}
      {state.kind === 'withdrawn' && <Withdrawn />}
      {state.kind === 'failed' && (
        <ErrorState illustration={<UnpluggedIllustration />} text="Failed to load notification" onRetry={reload} />
      )}
      {state.kind === 'loaded' && <Body item={state.item} />}
      <VisuallyHidden aria-live="polite" lang={lang ?? languageOf(title)}>
        {title}
      </VisuallyHidden>
      <ActionBar
        item={state.kind === 'loaded' ? state.item : undefined}
        neighbors={neighbors}
        markUnread={markUnread}
      />
    </Frame>
  )
}
