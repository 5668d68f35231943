import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { Audience } from '@portal/contracts/notifications/audience'
import { momentInIndia } from '@portal/contracts/notifications/moment-in-india'
import { limits } from '@portal/contracts/shared/rules'
import { useId, useState } from 'react'
import { useCloseOnBack } from '../../../lib/history-guard.ts'
import { tooManyText } from '../audience/audience-summary.tsx'
import type { AudienceCount } from '../audience/use-audience-count.ts'
import type { SentText } from '../draft.ts'
import { formatCount } from '../progress.ts'
import { FilledPreview } from './filled-preview.tsx'
import { urgentText } from './urgent-field.tsx'

const Stack = styled(DialogContent)(({ theme }) => ({ display: 'grid', gap: theme.spacing(4) }))

type Sending = {
  readonly text: SentText
  readonly audience: Audience
  /** When it is sent; at once if absent. */
  readonly sendAt?: string
}

type SendDialogProps = {
  /** Undefined while the dialog is closed. */
  readonly sending: Sending | undefined
  /** Counted when the dialog opened. */
  readonly count: AudienceCount
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

type Counted = NonNullable<AudienceCount['data']>

const questionOf = (data: Counted | undefined, sendAt: string | undefined): string => {
  const to = data ? ` to ${formatCount(data.count)} ${data.count === 1 ? 'person' : 'people'}` : ''
  const on = sendAt === undefined ? '' : ` on ${momentInIndia(Date.parse(sendAt))}`
  return `Send this notification${to}${on}?`
}

const consequenceOf = (sendAt: string | undefined): string =>
  sendAt === undefined
    ? 'You have 8 seconds to undo. Then it appears in their inboxes and is pushed to their devices. Later you can cancel pending deliveries, or recall it.'
    : 'Until then you can change or discard it. Its recipients are selected when it is sent.'

/** Why the counted recipients cannot get it. */
const obstacleOf = ({ count }: Counted): string | undefined => {
  if (count === 0) return 'No one matches any more. Please select at least one user.'
  return count > limits.recipientsPerAudience ? tooManyText(count) : undefined
}

/** Shows what is sent and to whom, with a fresh count. Cancel has the focus. */
export const SendDialog = ({ sending, count, onConfirm, onCancel }: SendDialogProps) => {
  const id = useId()
  useCloseOnBack(sending !== undefined, onCancel)
  const { data: counted, isStale, failure, retry } = count
  const data = isStale ? undefined : counted
  // The dialog keeps its content while it fades out.
  const [shown, setShown] = useState({ sending, data })
  if (sending && (shown.sending !== sending || shown.data !== data)) setShown({ sending, data })
  const obstacle = shown.data && obstacleOf(shown.data)
  return (
    <Dialog
      open={sending !== undefined}
      onClose={onCancel}
      maxWidth="xs"
      aria-labelledby={`${id}-question`}
      aria-describedby={`${id}-sentence`}
    >
      <DialogTitle id={`${id}-question`} variant="h3">
        {questionOf(shown.data, shown.sending?.sendAt)}
      </DialogTitle>
      <Stack>
        <Typography id={`${id}-sentence`} role="status" sx={{ overflowWrap: 'anywhere' }}>
          {failure ? `The recipients could not be counted. ${failure.message}` : (shown.data?.sentence ?? 'Counting…')}
        </Typography>
        {shown.sending && <FilledPreview {...shown.sending} />}
        {shown.sending?.text.isUrgent && (
          <Typography variant="body2">
            <strong>Urgent.</strong> {urgentText}
          </Typography>
        )}
        <Typography variant="body2" color={obstacle === undefined ? 'textSecondary' : 'error'}>
          {obstacle ?? consequenceOf(shown.sending?.sendAt)}
        </Typography>
      </Stack>
      <DialogActions>
        <Button variant="text" color="secondary" autoFocus onClick={onCancel}>
          Cancel
        </Button>
        {failure ? (
          <Button onClick={retry}>Count again</Button>
        ) : (
          <Button disabled={!shown.data || obstacle !== undefined} onClick={onConfirm}>
            <span>{shown.sending?.sendAt === undefined ? 'Send' : 'Schedule'}</span>
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
