import Button from '@mui/material/Button'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useAtomValue, useSetAtom } from '../../lib/jotai.ts'
import { EmptyTrayIllustration, UnpluggedIllustration } from '../../ui/illustrations.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Pager } from '../../ui/pager.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { useToast } from '../../ui/toast/atoms.ts'
import type { InboxView } from './apply-changes.ts'
import { headAtom, markAllReadAtom, releaseAtom } from './atoms.ts'
import { ListSkeleton } from './components/list-skeleton.tsx'
import { NewPill } from './components/new-pill.tsx'
import { NotificationList } from './components/notification-list.tsx'
import { useHoldWhileScrolled } from './hooks/use-hold-while-scrolled.ts'
import { useInboxPage } from './hooks/use-inbox-page.ts'
import { useOpenNotification } from './hooks/use-open-notification.ts'

/** `?page=`, counted from 1; whatever is not a page number is page 1. */
const usePageNumber = () => {
  const [search, setSearch] = useSearchParams()
  const asked = Number(search.get('page') ?? '1')
  const page = Number.isSafeInteger(asked) && asked >= 1 ? asked : 1
  const goTo = (next: number) => {
    setSearch(next === 1 ? {} : { page: String(next) })
    window.scrollTo(0, 0)
  }
  return { page, goTo }
}

const MarkAllButton = () => {
  const unread = useAtomValue(headAtom)?.unread ?? 0
  const markAll = useSetAtom(markAllReadAtom)
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  if (unread === 0) return null
  const press = async () => {
    if (busy) return
    setBusy(true)
    const refusal = await markAll()
    setBusy(false)
    if (refusal) toast.error('Failed to mark all notifications as read')
    else toast.success('All notifications marked as read')
  }
  return (
    <Button variant="text" size="small" onClick={press} aria-disabled={busy || undefined}>
      Mark all as read
    </Button>
  )
}

const Loaded = ({ view, onPage }: { view: InboxView; onPage: (page: number) => void }) => {
  const open = useOpenNotification()
  const release = useSetAtom(releaseAtom)
  const { page, totalPages, total } = view.pagination

  // Fewer pages than the address asks for: the last one is the nearest to what was meant.
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
      {state.kind === 'loaded' && <Loaded view={state.view} onPage={goTo} />}
    </>
  )
}
