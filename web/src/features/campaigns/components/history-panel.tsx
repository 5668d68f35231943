import { styled } from '@mui/material/styles'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useSocket } from '../../../lib/socket.ts'
import { EmptyTrayIllustration, UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { DelayedFadeIn } from '../../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'
import { exactTime } from '../../../ui/time.tsx'
import { progressOf, type History } from '../use-history.ts'
import { LegendToggle, StateLegend } from './delivery-states.tsx'
import { PanelHead } from './panel-head.tsx'
import { CampaignEntry, CampaignEntrySkeleton } from './campaign-entry.tsx'

/** A shorter interruption of the connection is not shown. */
const staleAfterMs = 2000

/** When the connection was lost (ms since 1970); undefined while it is open. */
const useStaleSince = (): number | undefined => {
  const socket = useSocket()
  const subscribe = useCallback(
    (onChange: () => void) => {
      socket?.on('connect', onChange)
      socket?.on('disconnect', onChange)
      return () => {
        socket?.off('connect', onChange)
        socket?.off('disconnect', onChange)
      }
    },
    [socket],
  )
  const connected = useSyncExternalStore(subscribe, () => socket?.connected ?? false)
  const [staleSince, setStaleSince] = useState<number>()

  useEffect(() => {
    if (connected) return undefined
    const downAt = Date.now()
    const timer = setTimeout(() => setStaleSince(downAt), staleAfterMs)
    return () => {
      clearTimeout(timer)
      setStaleSince(undefined)
    }
  }, [connected])

  return staleSince
}

const Line = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  '& p': {
    margin: theme.spacing(3, 0),
    padding: theme.spacing(2, 4),
    borderRadius: 6,
    backgroundColor: theme.vars.palette.portal.tones.yellow.background,
    color: theme.vars.palette.portal.tones.yellow.text,
  },
}))

/** Shows that the counts below are no longer live. */
const StaleNotice = () => {
  const since = useStaleSince()
  return (
    <Line role="status">
      {since !== undefined && (
        <p>
          Live updates stopped at {exactTime(new Date(since).toISOString())}. The counts are from then; they catch up
          when the connection is back.
        </p>
      )}
    </Line>
  )
}

/** px. */
const areaHeight = 500

const Edge = styled('div')(({ theme }) => ({ borderBottom: `1px solid ${theme.vars.palette.divider}` }))

const Area = styled('div')(({ theme }) => ({
  maxHeight: areaHeight,
  overflowY: 'auto',
  // On a phone, scrolling past the end of the area scrolls the page.
  [theme.breakpoints.up('sm')]: { overscrollBehavior: 'contain' },
  // Place the scroll bar outside the column.
  marginRight: theme.spacing(-4),
  paddingRight: theme.spacing(4),
  scrollbarWidth: 'thin',
  '&[aria-busy="true"]': { opacity: 0.6 },
  transition: theme.transitions.create('opacity'),
}))

const List = styled('ol')({ listStyle: 'none', margin: 0, padding: 0 })

type HistoryPanelProps = {
  readonly history: History
  readonly onPage: (page: number) => void
  readonly onRetry: () => void
}

export const HistoryPanel = ({ history, onPage, onRetry }: HistoryPanelProps) => {
  const { loaded, isBusy } = history
  const [explains, setExplains] = useState(false)
  return (
    <section aria-labelledby="history-heading">
      <PanelHead id="history-heading" title="Sent">
        <LegendToggle open={explains} onToggle={() => setExplains(!explains)} />
      </PanelHead>
      <StateLegend open={explains} />
      <StaleNotice />
      <Edge>
        {/* Focusable, so that the keyboard can scroll it. */}
        <Area
          // Remount to scroll a new page to its top.
          key={loaded?.pagination.page}
          tabIndex={0}
          role="group"
          aria-labelledby="history-heading"
          aria-busy={isBusy || undefined}
        >
          <Entries history={history} onRetry={onRetry} />
        </Area>
      </Edge>
      {loaded && loaded.campaigns.length > 0 && (
        <Pager pagination={loaded.pagination} noun="notifications" onPage={onPage} />
      )}
    </section>
  )
}

type EntriesProps = { readonly history: History; readonly onRetry: () => void }

const Entries = ({ history: { loaded, reports, hasFailed }, onRetry }: EntriesProps) => {
  if (!loaded && hasFailed)
    return <ErrorState illustration={<UnpluggedIllustration />} text="Failed to load notifications" onRetry={onRetry} />
  if (!loaded) return <LoadingEntries />
  if (loaded.campaigns.length === 0)
    return (
      <EmptyState
        illustration={<EmptyTrayIllustration />}
        text="Nothing sent yet"
        detail="Your notifications and their delivery appear here."
      />
    )
  return (
    <List>
      {loaded.campaigns.map((send) => (
        <CampaignEntry key={send.id} campaign={send} progress={progressOf(reports, send)} />
      ))}
    </List>
  )
}

const LoadingEntries = () => (
  <DelayedFadeIn role="status" aria-label="Loading notifications">
    {['first', 'second', 'third'].map((key) => (
      <CampaignEntrySkeleton key={key} />
    ))}
  </DelayedFadeIn>
)
