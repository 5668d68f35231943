import Button from '@mui/material/Button'
import type { HistoryFilter } from '@portal/contracts/notifications/http'
import { useState, type ReactNode } from 'react'
import { EmptyTrayIllustration, UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { DelayedFadeIn } from '../../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'
import type { HistoryQuery } from '../history-query.ts'
import type { History } from '../use-history.ts'
import { progressOf } from '../use-reports.ts'
import { LegendToggle, StateLegend } from './delivery-states.tsx'
import { Area, Edge, List } from './list-area.tsx'
import { HistoryFilterBar } from './history-filter.tsx'
import { PanelHead } from './panel-head.tsx'
import { StaleNotice } from './stale-notice.tsx'
import { CampaignEntry, CampaignEntrySkeleton } from './campaign-entry.tsx'

type HistoryPanelProps = {
  readonly history: History
  readonly query: HistoryQuery
  readonly onQuery: (query: HistoryQuery) => void
  readonly onRetry: () => void
  /** Switches to what is scheduled. */
  readonly views?: ReactNode
}

export const HistoryPanel = ({ history, query, onQuery, onRetry, views }: HistoryPanelProps) => {
  const { loaded, isBusy } = history
  const filterBy = (filter: HistoryFilter) => onQuery({ page: 1, filter })
  const [explains, setExplains] = useState(false)
  return (
    <section aria-labelledby="history-heading">
      <PanelHead id="history-heading" title="Sent" lead={views}>
        <LegendToggle open={explains} onToggle={() => setExplains(!explains)} />
      </PanelHead>
      <StateLegend open={explains} />
      <StaleNotice />
      <HistoryFilterBar
        filter={query.filter}
        found={isBusy || history.hasFailed ? undefined : loaded?.pagination.total}
        hasFailed={history.hasFailed}
        campaigns={loaded?.campaigns ?? []}
        onFilter={filterBy}
      />
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
          <Entries
            history={history}
            detail={query.filter.sentBy === undefined && query.filter.source === undefined ? adminsOnly : fewer}
            onRetry={onRetry}
            onClear={() => filterBy({})}
          />
        </Area>
      </Edge>
      {loaded && loaded.campaigns.length > 0 && (
        <Pager pagination={loaded.pagination} noun="notifications" onPage={(page) => onQuery({ ...query, page })} />
      )}
    </section>
  )
}

const fewer = 'Try other words, or fewer conditions.'
const adminsOnly = `${fewer} To include what the portal sent itself, choose it as the sender.`

type EntriesProps = {
  readonly history: History
  /** Shown if nothing matches. */
  readonly detail: string
  readonly onRetry: () => void
  readonly onClear: () => void
}

const Entries = ({ history, detail, onRetry, onClear }: EntriesProps) => {
  const { loaded, reports, hasFailed, isUnfiltered } = history
  if (!loaded && hasFailed)
    return <ErrorState illustration={<UnpluggedIllustration />} text="Failed to load notifications" onRetry={onRetry} />
  if (!loaded) return <LoadingEntries />
  if (loaded.campaigns.length === 0 && !isUnfiltered)
    return (
      <EmptyState
        illustration={<EmptyTrayIllustration />}
        text="No notification matches"
        detail={detail}
        action={
          <Button variant="outlined" color="secondary" onClick={onClear}>
            Show all notifications
          </Button>
        }
      />
    )
  if (loaded.campaigns.length === 0)
    return (
      <EmptyState
        illustration={<EmptyTrayIllustration />}
        text="Nothing sent yet"
        detail="Delivery progress will appear here."
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
