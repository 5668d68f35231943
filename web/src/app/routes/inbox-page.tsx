import { styled, useTheme } from '@mui/material/styles'
import { Suspense } from 'react'
import { Outlet, useMatch } from 'react-router-dom'
import { useInbox } from '../../features/notifications/inbox-cache.ts'
import { shownView, type Inbox } from '../../features/notifications/inbox.ts'
import { useMedia } from '../../lib/use-media.ts'
import { EmptyTrayIllustration } from '../../ui/illustrations.tsx'
import { PageSkeleton } from '../../ui/skeletons.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { InboxPaneContext } from './inbox-pane.ts'
import { NotificationsPage } from './notifications-page.tsx'

const Panes = styled('div')(({ theme }) => ({
  flex: 1,
  display: 'grid',
  gridTemplateColumns: `${theme.portal.sizes.listPane}px minmax(0, 1fr)`,
  margin: theme.spacing(-5, -5, -8),
}))

const ListPane = styled('div')(({ theme }) => ({
  minWidth: 0,
  padding: theme.spacing(5, 5, 8),
  borderRight: `1px solid ${theme.vars.palette.divider}`,
}))

/** Stays in view while the list scrolls with the window. */
const DetailPane = styled('div')(({ theme }) => ({
  position: 'sticky',
  top: 0,
  alignSelf: 'start',
  minWidth: 0,
  maxHeight: [
    `calc(100vh - ${theme.portal.sizes.bottomBar + 1}px)`,
    `calc(100dvh - ${theme.portal.sizes.bottomBar + 1}px)`,
  ],
  overflowY: 'auto',
  padding: theme.spacing(5, 5, 0),
}))

const hasNoneOf = (inbox: Inbox): boolean => shownView(inbox)?.items.length === 0

/** Beside an empty list, which says so itself, there is nothing to choose from. */
const NoneOpen = () => {
  const hasNone = useInbox(hasNoneOf)
  if (hasNone) return null
  return <EmptyState illustration={<EmptyTrayIllustration />} text="Choose a notification to read it here." />
}

/** The list and a notification: side by side on a wide screen, otherwise one of them. */
export const InboxPage = () => {
  const isWide = useMedia(`(min-width: ${useTheme().portal.sizes.panes}px)`)
  const openId = useMatch('/notification/:id')?.params.id
  if (!isWide) return openId === undefined ? <NotificationsPage /> : <Outlet />
  return (
    <Panes data-fills>
      <ListPane>
        <NotificationsPage openId={openId} isPane />
      </ListPane>
      <DetailPane>
        <InboxPaneContext value>
          <Suspense fallback={<PageSkeleton />}>{openId === undefined ? <NoneOpen /> : <Outlet />}</Suspense>
        </InboxPaneContext>
      </DetailPane>
    </Panes>
  )
}
