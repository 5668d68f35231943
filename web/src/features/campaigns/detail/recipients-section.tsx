import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { EmptyTrayIllustration, UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { DelayedFadeIn } from '../../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'
import { ExportButton } from './export-button.tsx'
import { RecipientFilterBar } from './recipient-filter.tsx'
import { isUnfilteredList } from './recipient-query.ts'
import { RecipientTable } from './recipient-table.tsx'
import { useOnProgress } from './use-campaign.ts'
import { useRecipients, type RecipientsPage } from './use-recipients.ts'

/** A large campaign reports its progress four times a second. */
const reloadEveryMs = 2_000

const Head = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(1, 4),
  minHeight: theme.portal.sizes.target,
}))

const Rows = styled('div')(({ theme }) => ({
  marginTop: theme.spacing(3),
  '&[aria-busy="true"]': { opacity: 0.6 },
  transition: theme.transitions.create('opacity'),
}))

/** Keeps its height without a text, so that the rows below do not move. */
const Notice = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(0, 3),
  minHeight: theme.portal.sizes.target,
  color: theme.vars.palette.text.secondary,
  '& .MuiButton-root': { marginRight: theme.spacing(-3) },
}))

type RecipientsSectionProps = { readonly id: NotificationId; readonly progress: CampaignProgress }

/** Who got the notification and who did not: filter, search, pages and export. */
export const RecipientsSection = ({ id, progress }: RecipientsSectionProps) => {
  const recipients = useRecipients(id)
  const { query, state, reload } = recipients
  useOnProgress(progress, reloadEveryMs, reload)
  return (
    <section aria-labelledby="recipients-heading">
      <Head>
        <Typography variant="h2" id="recipients-heading">
          Recipients
        </Typography>
        <ExportButton id={id} filter={query.filter} />
      </Head>
      {state.kind === 'loading' && (
        <DelayedFadeIn role="status" aria-label="Loading recipients">
          <Skeleton variant="rounded" height={480} />
        </DelayedFadeIn>
      )}
      {state.kind === 'failed' && (
        <ErrorState
          illustration={<UnpluggedIllustration />}
          text="Failed to load the recipients"
          detail={state.failure.message}
          onRetry={() => void reload()}
        />
      )}
      {state.kind === 'loaded' && <LoadedRecipients recipients={recipients} answer={state.data} />}
    </section>
  )
}

type LoadedAnswer = Extract<RecipientsPage['state'], { kind: 'loaded' }>['data']

type LoadedRecipientsProps = { readonly recipients: RecipientsPage; readonly answer: LoadedAnswer }

const LoadedRecipients = ({ recipients, answer }: LoadedRecipientsProps) => {
  const { query, rows, hasChanged, isBusy, show, refresh } = recipients
  const clear = () => show({ page: 1, filter: {} })
  return (
    <>
      <RecipientFilterBar
        filter={query.filter}
        counts={answer.counts}
        reasons={answer.reasons}
        onFilter={(filter) => show({ page: 1, filter })}
      />
      <Rows aria-busy={isBusy || undefined}>
        {!isUnfilteredList(query.filter) && (
          <Notice>
            <span role="status">{hasChanged && 'The list has changed since you opened it.'}</span>
            {hasChanged && (
              <Button variant="text" size="small" onClick={refresh}>
                Show the current list
              </Button>
            )}
          </Notice>
        )}
        {rows.length === 0 ? (
          <EmptyState
            illustration={<EmptyTrayIllustration />}
            text="No recipient matches"
            action={
              <Button variant="outlined" color="secondary" onClick={clear}>
                Show all recipients
              </Button>
            }
          />
        ) : (
          <RecipientTable recipients={rows} />
        )}
        <Pager pagination={answer.pagination} noun="recipients" onPage={(page) => show({ ...query, page })} />
      </Rows>
    </>
  )
}
