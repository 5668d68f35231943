import type { Invitation } from '@portal/contracts/auth/invitations'
import { useState, type FormEvent } from 'react'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { useToast } from '../../../ui/toast/atoms.ts'
import { ListedInvitationsFields } from './listed-invitations-fields.tsx'
import { OneInvitationFields } from './one-invitation-fields.tsx'
import { useListedInvitations } from './use-listed-invitations.ts'
import { useOneInvitation } from './use-one-invitation.ts'

const ways = [
  { value: 'one', label: 'One person' },
  { value: 'list', label: 'Paste a list' },
] as const

type InviteDialogProps = {
  readonly invitations: readonly Invitation[]
  readonly onChange: () => Promise<unknown>
  readonly onClose: () => void
}

/** Invites one person, or those of a pasted list. It stays open while it shows links or what became of the list. */
export const InviteDialog = ({ invitations, onChange, onClose }: InviteDialogProps) => {
  const [way, setWay] = useState<(typeof ways)[number]['value']>('one')
  const toast = useToast()
  const one = useOneInvitation({
    invitations,
    onSent: async ({ fullName, link }) => {
      if (link === undefined) {
        toast.success(`${fullName} is invited`, { subject: 'invitation' })
        onClose()
      }
      await onChange()
    },
  })
  const list = useListedInvitations({ onSent: onChange })
  const isLinkShown = way === 'one' && one.sent?.link !== undefined
  const submit = (event: FormEvent) => {
    if (way === 'one' && !isLinkShown) return void one.submit(event)
    event.preventDefault()
    return isLinkShown ? one.startAgain() : void list.submit()
  }
  return (
    <FormDialog
      title="Invite"
      consequence="An email asks the person to choose a password. Its link works once, for 72 hours."
      submitText={isLinkShown ? 'Invite another' : 'Invite'}
      cancelText={isLinkShown || list.results.length > 0 ? 'Close' : 'Cancel'}
      busy={way === 'one' ? one.busy : list.busy}
      failure={way === 'one' && !isLinkShown ? one.failure : undefined}
      onSubmit={submit}
      onCancel={onClose}
    >
      <div>
        <SegmentedControl label="Whom to invite" value={way} options={ways} onChange={setWay} />
      </div>
      {way === 'one' ? <OneInvitationFields {...one} /> : <ListedInvitationsFields {...list} />}
    </FormDialog>
  )
}
