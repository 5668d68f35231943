import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { EmptyTrayIllustration, UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { Waiting } from '../../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'
import { progressOf, type History } from '../history.ts'
import { PanelHead } from './panel-head.tsx'
import { SendEntrySkeleton } from './send-entry-skeleton.tsx'
import { SendEntry } from './send-entry.tsx'
import { StaleNotice } from './stale-notice.tsx'
import { LegendToggle, StateLegend } from './state-legend.tsx'

/** px. */
const areaHeight = 500

const Edge = styled('div')(({ theme }) => ({ borderBottom: `1px solid ${theme.vars.palette.divider}` }))

const Area = styled('div')(({ theme }) => ({
  maxHeight: areaHeight,
  overflowY: 'auto',
  // On a phone, a thumb that has reached the area's end scrolls the page.
  [theme.breakpoints.up('sm')]: { overscrollBehavior: 'contain' },
  // The scroll bar stands beside the column, not in it.
  marginRight: theme.spacing(-4),
  paddingRight: theme.spacing(4),
  scrollbarWidth: 'thin',
  '&[aria-busy="true"]': { opacity: 0.6 },
  transition: theme.transitions.create('opacity'),
}))

const List = styled('ol')({ listStyle: 'none', margin: 0, padding: 0 })

type HistoryPanelProps = {
  readonly history: History
  readonly staleSince: number | undefined
  readonly onPage: (page: number) => void
  readonly onRetry: () => void
}

export const HistoryPanel = ({ history, staleSince, onPage, onRetry }: HistoryPanelProps) => {
  const { sends, pagination, status, page } = history
  const [explains, setExplains] = useState(false)
  return (
    <section aria-labelledby="history-heading">
      <PanelHead id="history-heading" title="Sent">
        <LegendToggle open={explains} onToggle={() => setExplains(!explains)} />
      </PanelHead>
      <StateLegend open={explains} />
      <StaleNotice since={staleSince} />
      <Edge>
        {/* A scroll area takes the keyboard, so that it scrolls without a mouse. */}
        <Area
          // Another page begins at its top.
          key={pagination?.page}
          tabIndex={0}
          role="group"
          aria-labelledby="history-heading"
          aria-busy={status === 'loading' && pagination?.page !== page ? true : undefined}
        >
          <Entries history={history} onRetry={onRetry} />
        </Area>
      </Edge>
      {sends.length > 0 && pagination && <Pager pagination={pagination} noun="notifications" onPage={onPage} />}
    </section>
  )
}

const Entries = ({ history, onRetry }: { history: History; onRetry: () => void }) => {
  if (!history.pagination) {
    if (history.status === 'failed')
      return (
        <ErrorState illustration={<UnpluggedIllustration />} text="Failed to load notifications" onRetry={onRetry} />
      )
    return <LoadingEntries />
  }
  if (history.sends.length === 0)
    return (
      <EmptyState
        illustration={<EmptyTrayIllustration />}
        text="Nothing sent yet"
        detail="What you send will be followed here."
      />
    )
  return (
    <List>
      {history.sends.map((send) => (
        <SendEntry key={send.id} send={send} progress={progressOf(history, send)} />
      ))}
    </List>
  )
}

const LoadingEntries = () => (
  <Waiting role="status" aria-label="Loading notifications">
    {['first', 'second', 'third'].map((key) => (
      <SendEntrySkeleton key={key} />
    ))}
  </Waiting>
)
