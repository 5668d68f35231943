import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { limits } from '@portal/contracts/shared/rules'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { isRecalled as isCampaignRecalled } from '../campaign.ts'
import { formatCount } from '../progress.ts'
import { actionNames, confirmationOf, isOffered, type ActionName } from './actions.ts'
import { useAction } from './use-action.ts'
import type { CampaignDetails } from './use-campaign.ts'

const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: theme.spacing(2),
  marginTop: theme.spacing(4),
}))

const labelOf = (action: ActionName, resendable: number): string => {
  switch (action) {
    case 'cancel':
      return 'Cancel pending'
    case 'resend':
      return `Resend to ${formatCount(resendable)} failed`
    case 'recall':
      return 'Recall'
  }
}

type CampaignActionsProps = { readonly details: CampaignDetails; readonly onDone: () => void }

/** What an admin can do with the notification. Actions that would change nothing are absent. */
export const CampaignActions = ({ details, onDone }: CampaignActionsProps) => {
  const { campaign, resendable } = details
  const { id, progress } = campaign
  const isRecalled = isCampaignRecalled(campaign, progress)
  const situation = { ...details, progress, isRecalled }
  const { asked, busy, ask, writeReason, cancel, confirm } = useAction(id, onDone)
  // The dialog keeps its text while the numbers behind it change, and while it fades out.
  const [confirmation, setConfirmation] = useState(() => confirmationOf(asked?.action ?? 'cancel', situation))
  const open = (action: ActionName) => {
    setConfirmation(confirmationOf(action, situation))
    ask(action)
  }
  return (
    <Bar role="group" aria-label="Actions">
      {actionNames
        .filter((action) => isOffered(action, situation))
        .map((action) => (
          <Button key={action} variant="outlined" color="secondary" size="small" onClick={() => open(action)}>
            <span>{labelOf(action, resendable)}</span>
          </Button>
        ))}
      {!isRecalled && progress.read < progress.targeted && (
        <LinkButton to={`/admin/notifications?remind=${id}`} text="Remind those who have not read it" />
      )}
      {!isRecalled && <LinkButton to={`/admin/notifications?copy=${id}`} text="Duplicate" />}
      <ConfirmDialog {...confirmation} open={asked !== undefined} busy={busy} onConfirm={confirm} onCancel={cancel}>
        <TextField
          label="Reason for the other admins (optional)"
          value={asked?.reason ?? ''}
          inputProps={{ maxLength: limits.adminReasonChars }}
          onChange={({ target }) => writeReason(target.value)}
        />
      </ConfirmDialog>
    </Bar>
  )
}

const LinkButton = ({ to, text }: { readonly to: string; readonly text: string }) => (
  <Button component={Link} to={to} variant="outlined" color="secondary" size="small">
    <span>{text}</span>
  </Button>
)
