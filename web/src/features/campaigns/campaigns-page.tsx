import { styled } from '@mui/material/styles'
import { PageTitle } from '../../ui/page-title.tsx'
import { ComposeForm } from './components/compose-form.tsx'
import { HistoryPanel } from './components/history-panel.tsx'
import { useStaleSince } from './use-connection.ts'
import { useHistory } from './use-history.ts'
import { useRecipients, type LoadRecipients } from './use-recipients.ts'

const Width = styled('div')({ containerType: 'inline-size' })

/** Two columns wherever there is room for them, whatever else stands on the screen. */
const twoColumns = '@container (min-width: 800px)'

const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(10),
  '& > *': { minWidth: 0 },
  [twoColumns]: { gridTemplateColumns: 'minmax(0, 5fr) minmax(0, 6fr)', alignItems: 'start' },
}))

/** Stays in sight while one is further down in the form: what comes of a send is seen where it is sent. */
const Following = styled('div')(({ theme }) => ({ [twoColumns]: { position: 'sticky', top: theme.spacing(4) } }))

/** Sending at the left, what has been sent at the right. */
export const CampaignsPage = ({ loadRecipients }: { readonly loadRecipients: LoadRecipients }) => {
  const recipients = useRecipients(loadRecipients)
  const { history, show, reload } = useHistory()
  const staleSince = useStaleSince()
  return (
    <>
      <PageTitle title="Notifications" />
      <Width>
        <Columns>
          <ComposeForm recipients={recipients} onSent={() => show(1)} />
          <Following>
            <HistoryPanel history={history} staleSince={staleSince} onPage={show} onRetry={reload} />
          </Following>
        </Columns>
      </Width>
    </>
  )
}
