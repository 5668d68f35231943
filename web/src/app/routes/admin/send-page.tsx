import { styled } from '@mui/material/styles'
import { ComposeForm } from '../../../features/campaigns/components/compose-form.tsx'
import { HistoryPanel } from '../../../features/campaigns/components/history-panel.tsx'
import { useHistoryInAddress } from '../../../features/campaigns/use-history-address.ts'
import { ScheduledPanel, useOwnHeld } from '../../../features/campaigns/scheduled/scheduled-panel.tsx'
import { useScheduled } from '../../../features/campaigns/scheduled/use-scheduled.ts'
import { useAddressSearch } from '../../../lib/use-address-search.ts'
import { PageTitle } from '../../../ui/page-title.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'

const Width = styled('div')({ containerType: 'inline-size' })

/** A container query: two columns depend on the available width, not on the window. */
const twoColumns = '@container (min-width: 800px)'

const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(10),
  '& > *': { minWidth: 0 },
  [twoColumns]: { gridTemplateColumns: 'minmax(0, 5fr) minmax(0, 6fr)', alignItems: 'start' },
}))

/** Sticky, so that the progress of a campaign stays visible while the admin scrolls the form. */
const Following = styled('div')(({ theme }) => ({ [twoColumns]: { position: 'sticky', top: theme.spacing(4) } }))

type View = 'sent' | 'scheduled'

/** What the right column shows, in the address. */
const useView = () => {
  const [search, setSearch] = useAddressSearch()
  const view: View = search.get('view') === 'scheduled' ? 'scheduled' : 'sent'
  const show = (next: View) =>
    setSearch(
      (known) => {
        const changed = new URLSearchParams(known)
        if (next === 'scheduled') changed.set('view', next)
        else changed.delete('view')
        return changed
      },
      { replace: true },
    )
  return [view, show] as const
}

/** The send form on the left, the history of campaigns and what is scheduled on the right. */
export const SendPage = () => {
  const { panel, showNewest } = useHistoryInAddress()
  const [view, show] = useView()
  const scheduled = useScheduled()
  const held = useOwnHeld()
  const onScheduled = (isNew: boolean) => {
    void scheduled.refresh()
    // The others are changed in the list.
    if (isNew) show('scheduled')
  }
  const count = held.length + (scheduled.state.kind === 'loaded' ? scheduled.state.data.length : 0)
  const views = (
    <SegmentedControl
      label="Notifications"
      value={view}
      options={[
        { value: 'sent', label: 'Sent' },
        { value: 'scheduled', label: count === 0 ? 'Scheduled' : `Scheduled (${count})` },
      ]}
      onChange={show}
    />
  )
  return (
    <>
      <PageTitle title="Notifications" />
      <Width>
        <Columns>
          <ComposeForm onSent={showNewest} onScheduled={onScheduled} />
          <Following>
            {view === 'sent' ? (
              <HistoryPanel {...panel} views={views} />
            ) : (
              <ScheduledPanel scheduled={scheduled} views={views} onSent={showNewest} />
            )}
          </Following>
        </Columns>
      </Width>
    </>
  )
}
