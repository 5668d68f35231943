import { keyframes } from '@emotion/react'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { isFiltered, type InboxFilter } from '@portal/contracts/notifications/inbox-filter'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { EmptyTrayIllustration, UnpluggedIllustration } from '../../ui/illustrations.tsx'
import { ArrowUpIcon } from '../../ui/page-icons.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Pager } from '../../ui/pager.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { useToast } from '../../ui/toast/atoms.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import type { InboxView } from '../../features/notifications/apply-changes.ts'
import { EmptyInbox } from '../../features/notifications/components/empty-inbox.tsx'
import { InboxFilterBar } from '../../features/notifications/components/inbox-filter-bar.tsx'
import { LastUpdated } from '../../features/notifications/components/last-updated.tsx'
import {
  ListSkeleton,
  NotificationList,
  type RowLinks,
} from '../../features/notifications/components/notification-list.tsx'
import { PushHint } from '../../features/push/components/push-hint.tsx'
import { unreadOf, useInbox } from '../../features/notifications/inbox-cache.ts'
import { useInboxPlace, type InboxPlaceControls } from '../../features/notifications/use-inbox-place.ts'
import { useInboxPage, useOpenList, useReleaseHeld } from '../../features/notifications/use-inbox.ts'
import { useMarkAllRead } from '../../features/notifications/use-mark-all-read.ts'
import { useMarkRead, useMarkUnread } from '../../features/notifications/use-read-state.ts'
import { useRowKeys } from '../../features/notifications/use-row-keys.ts'

/** This button is beside the title on every phone. On a line of its own it would move the list when it appears. */
const BesideTitle = styled(Button)(({ theme }) => ({
  [theme.breakpoints.down(theme.portal.sizes.smallPhone)]: {
    width: 'min-content',
    flexGrow: 1,
    paddingBlock: 0,
    justifyContent: 'flex-end',
    lineHeight: 1.25,
    textAlign: 'right',
    textWrap: 'balance',
    whiteSpace: 'normal',
  },
}))

const MarkAllButton = ({ onPress }: { onPress: () => void }) => {
  const unread = useInbox(unreadOf)
  const markAll = useMarkAllRead()
  if (unread === 0) return null
  const press = () => {
    // The button disappears.
    onPress()
    markAll()
  }
  return (
    <BesideTitle variant="text" size="small" onClick={press}>
      Mark all as read
    </BesideTitle>
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
        <span>{`${count} new`}</span>
      </Button>
    )}
  </PillAnchor>
)

/** The list of an earlier filter, until the one of this filter has loaded. */
const Outdated = styled('div')(({ theme }) => ({
  transition: `opacity ${theme.portal.motion.quickMs}ms linear ${theme.portal.motion.waitIndicatorDelayMs}ms`,
  '&[aria-busy="true"]': { opacity: 0.5 },
}))

const textOfNothing = ({ filter, type = [], q = '' }: InboxFilter): string => {
  const isFurther = filter !== undefined || type.length > 0
  if (q !== '') return `No notification${isFurther ? ' of this filter' : ''} matches “${q}”.`
  return filter !== undefined && type.length === 0 ? 'No unread notifications.' : 'No notifications match.'
}

const NothingFound = ({ place, onClear }: { place: InboxPlaceControls; onClear: () => void }) => (
  <EmptyState
    illustration={<EmptyTrayIllustration />}
    text={textOfNothing(place.filter)}
    action={
      <Button variant="outlined" color="secondary" onClick={onClear}>
        Clear filter
      </Button>
    }
  />
)

const Count = styled('p')(({ theme }) => ({
  ...theme.typography.body2,
  minHeight: '1lh',
  margin: theme.spacing(-1, 0, 3),
  fontVariantNumeric: 'tabular-nums',
  color: theme.vars.palette.text.secondary,
}))

/** Shown below the field of a search. For other filters, only screen readers get the number, because the pager shows it. */
const FoundCount = ({ count, filter }: { count: number | undefined; filter: InboxFilter }) => {
  if (!isFiltered(filter)) return null
  const text = count === undefined ? 'Searching' : `${count} ${count === 1 ? 'notification' : 'notifications'} found`
  if ((filter.q ?? '') === '') return <VisuallyHidden role="status">{text}</VisuallyHidden>
  return <Count role="status">{text}</Count>
}

type LoadedProps = {
  readonly view: InboxView
  readonly place: InboxPlaceControls
  readonly links: RowLinks
  readonly focusTitle: () => void
}

const Loaded = ({ view, place, links, focusTitle }: LoadedProps) => {
  const open = useMarkRead()
  const release = useReleaseHeld()
  const { page, totalPages, total } = view.pagination
  const { goTo } = place
  const isPastEnd = page > totalPages && totalPages > 0

  const goToLast = useEffectEvent(() => goTo(totalPages))
  // The address has a page beyond the last one.
  useEffect(() => {
    if (isPastEnd) goToLast()
  }, [isPastEnd])

  const leave = (act: () => void) => () => {
    // The pressed button disappears.
    focusTitle()
    act()
    window.scrollTo(0, 0)
  }
  if (total === 0 && view.heldCount === 0) {
    return isFiltered(view.filter) ? <NothingFound place={place} onClear={leave(place.clear)} /> : <EmptyInbox />
  }
  const showNew = leave(() => {
    if (page === 1) release()
    else goTo(1)
  })
  return (
    <>
      <NotificationList items={view.items} onOpen={open} links={links} hasDays />
      <NewPill count={view.heldCount} onPress={showNew} />
      <Pager pagination={view.pagination} noun="notifications" onPage={(next) => leave(() => goTo(next))()} />
    </>
  )
}

type NotificationsPageProps = {
  /** The notification that is open beside the list. */
  readonly openId?: string | undefined
  readonly isPane?: boolean
}

export const NotificationsPage = ({ openId, isPane = false }: NotificationsPageProps) => {
  const place = useInboxPlace()
  const { page, filter } = place
  const { state, keptAt, isPrevious, reload } = useInboxPage(page, filter)
  const toast = useToast()
  const heading = useRef<HTMLHeadingElement>(null)
  useOpenList()
  const markUnread = useMarkUnread()
  useRowKeys(openId, (id) => {
    const item = state.kind === 'loaded' ? state.data.items.find(({ _id }) => _id === id) : undefined
    if (item?.isRead) void markUnread(item)
  })

  const failed = state.kind === 'failed'
  useEffect(() => {
    if (failed) toast.error('Failed to load notifications')
  }, [failed, toast])

  const links = useMemo(
    (): RowLinks => ({ search: place.search, openId, keepsPlace: isPane }),
    [place.search, openId, isPane],
  )
  const focusTitle = () => heading.current?.focus({ preventScroll: true })
  const isOfTexts = (filter.type ?? []).length > 0 || (filter.q ?? '') !== ''
  const isEmpty = state.kind === 'loaded' && state.data.pagination.total === 0 && !isFiltered(filter)
  return (
    <>
      <PageTitle
        title="Notifications"
        tabTitle={openId === undefined ? 'Notifications' : 'Notification Details'}
        headingRef={heading}
        // It marks all of the inbox, which must not be mistaken for the ones found.
        actions={isOfTexts ? undefined : <MarkAllButton onPress={focusTitle} />}
      />
      <PushHint onClose={focusTitle} />
      {!isEmpty && <InboxFilterBar {...place} />}
      <LastUpdated at={keptAt} onRetry={reload} />
      <FoundCount
        count={state.kind === 'loaded' && !isPrevious ? state.data.pagination.total : undefined}
        filter={filter}
      />
      {state.kind === 'loading' && <ListSkeleton />}
      {state.kind === 'failed' && (
        <ErrorState
          illustration={<UnpluggedIllustration />}
          text="Failed to load notifications. Please try again later."
          detail={state.failure.isNetworkError ? undefined : state.failure.message}
          onRetry={reload}
        />
      )}
      {state.kind === 'loaded' && (
        <Outdated aria-busy={isPrevious}>
          <Loaded view={state.data} place={place} links={links} focusTitle={focusTitle} />
        </Outdated>
      )}
    </>
  )
}
