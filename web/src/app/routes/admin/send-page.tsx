import { styled } from '@mui/material/styles'
import { ComposeForm } from '../../../features/campaigns/components/compose-form.tsx'
import { HistoryPanel } from '../../../features/campaigns/components/history-panel.tsx'
import { useHistoryInAddress } from '../../../features/campaigns/use-history-address.ts'
import { PageTitle } from '../../../ui/page-title.tsx'

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

/** The send form on the left, the history of campaigns on the right. */
export const SendPage = () => {
  const { panel, showNewest } = useHistoryInAddress()
  return (
    <>
      <PageTitle title="Notifications" />
      <Width>
        <Columns>
          <ComposeForm onSent={showNewest} />
          <Following>
            <HistoryPanel {...panel} />
          </Following>
        </Columns>
      </Width>
    </>
  )
}
