import { styled } from '@mui/material/styles'
import { PageTitle } from '../../ui/page-title.tsx'
import { ComposeForm } from './components/compose-form.tsx'
import { HistoryPanel } from './components/history-panel.tsx'
import { useStaleSince } from './use-connection.ts'
import { useHistory } from './use-history.ts'
import { useRecipients, type LoadRecipients } from './use-recipients.ts'

const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(10),
  '& > *': { minWidth: 0 },
  [theme.breakpoints.up('lg')]: {
    gridTemplateColumns: 'minmax(0, 5fr) minmax(0, 6fr)',
    alignItems: 'start',
  },
}))

/** Sending at the left, what has been sent at the right. */
export const CampaignsPage = ({ loadRecipients }: { readonly loadRecipients: LoadRecipients }) => {
  const recipients = useRecipients(loadRecipients)
  const { history, show, reload } = useHistory()
  const staleSince = useStaleSince()
  return (
    <>
      <PageTitle title="Notifications" />
      <Columns>
        <ComposeForm recipients={recipients} onSent={() => show(1)} />
        <HistoryPanel history={history} staleSince={staleSince} onPage={show} onRetry={reload} />
      </Columns>
    </>
  )
}
