import { keyframes } from '@emotion/react'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { EmptyTrayIllustration, UnpluggedIllustration } from '../../ui/illustrations.tsx'
import { ArrowUpIcon } from '../../ui/icons.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Pager } from '../../ui/pager.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { useToast } from '../../ui/toast/atoms.ts'
import type { InboxView } from '../../features/notifications/apply-changes.ts'
import { ListSkeleton, NotificationList } from '../../features/notifications/components/notification-list.tsx'
import { unreadOf, useInbox } from '../../features/notifications/inbox-cache.ts'
import {
  useHoldWhileScrolled,
  useInboxPage,
  useMarkAllRead,
  useMarkRead,
  useReleaseHeld,
} from '../../features/notifications/use-inbox.ts'

/** The page number of `?page=`, from 1. An invalid number is read as 1. */
const usePageNumber = () => {
  const [search, setSearch] = useSearchParams()
  const requested = Number(search.get('page') ?? '1')
  const page = Number.isSafeInteger(requested) && requested >= 1 ? requested : 1
  const goTo = (next: number) => {
    setSearch(next === 1 ? {} : { page: String(next) })
    window.scrollTo(0, 0)
  }
  return { page, goTo }
}

const MarkAllButton = () => {
  const unread = useInbox(unreadOf)
  const markAll = useMarkAllRead()
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  if (unread === 0) return null
  const press = async () => {
    if (busy) return
    setBusy(true)
    const failure = await markAll()
    setBusy(false)
    if (failure) toast.error('Failed to mark all notifications as read')
    else toast.success('All notifications marked as read')
  }
  return (
    <Button variant="text" size="small" onClick={press} aria-disabled={busy || undefined}>
      Mark all as read
    </Button>
  )
}

const rise = keyframes({ from: { opacity: 0, transform: 'translateY(8px)' } })

/** Just above the bottom navigation and clear of the toasts. It takes no space in the page. */
const PillAnchor = styled('div')(({ theme }) => ({
  position: 'sticky',
  bottom: `calc(var(--bottom-bar) + env(safe-area-inset-bottom) + ${theme.spacing(3)})`,
  zIndex: 1,
  display: 'flex',
  justifyContent: 'center',
  height: 0,
  alignItems: 'flex-end',
  pointerEvents: 'none',
  '& .MuiButton-root': {
    pointerEvents: 'auto',
    borderRadius: 22,
    boxShadow: theme.vars.palette.portal.shadow,
    fontVariantNumeric: 'tabular-nums',
    animation: `${rise} ${theme.transitions.duration.standard}ms ${theme.transitions.easing.easeOut}`,
  },
}))

/** '1 new': the number of arrivals held back while the user has scrolled. */
const NewPill = ({ count, onPress }: { count: number; onPress: () => void }) => (
  <PillAnchor>
    {count > 0 && (
      <Button onClick={onPress} startIcon={<ArrowUpIcon size={18} weight={2.25} />}>
        {count} new
      </Button>
    )}
  </PillAnchor>
)

const Loaded = ({ view, onPage }: { view: InboxView; onPage: (page: number) => void }) => {
  const open = useMarkRead()
  const release = useReleaseHeld()
  const { page, totalPages, total } = view.pagination

  // The address has a page beyond the last one.
  useEffect(() => {
    if (page > totalPages && totalPages > 0) onPage(totalPages)
  }, [page, totalPages, onPage])

  if (total === 0 && view.heldCount === 0) {
    return <EmptyState illustration={<EmptyTrayIllustration />} text="No notifications yet." />
  }
  const showNew = () => {
    if (page === 1) release()
    onPage(1)
  }
  return (
    <>
      <NotificationList items={view.items} onOpen={open} />
      <NewPill count={view.heldCount} onPress={showNew} />
      <Pager pagination={view.pagination} noun="notifications" onPage={onPage} />
    </>
  )
}

export const NotificationsPage = () => {
  const { page, goTo } = usePageNumber()
  const { state, reload } = useInboxPage(page)
  const toast = useToast()
  useHoldWhileScrolled()

  const failed = state.kind === 'failed'
  useEffect(() => {
    if (failed) toast.error('Failed to load notifications')
  }, [failed, toast])

  return (
    <>
      <PageTitle title="Notifications" actions={<MarkAllButton />} />
      {state.kind === 'loading' && <ListSkeleton />}
      {state.kind === 'failed' && (
        <ErrorState
          illustration={<UnpluggedIllustration />}
          text="Failed to load notifications. Please try again later."
          detail={state.failure.isNetworkError ? undefined : state.failure.message}
          onRetry={reload}
        />
      )}
      {state.kind === 'loaded' && <Loaded view={state.data} onPage={goTo} />}
    </>
  )
}
