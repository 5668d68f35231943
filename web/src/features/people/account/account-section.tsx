import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { reactivatePerson, type ErasureReceipt, type Person } from '@portal/contracts/auth/accounts'
import { knownLanguage, languageNames } from '@portal/contracts/shared/languages'
import { useState } from 'react'
import { call } from '../../../lib/http.ts'
import { useSession } from '../../../lib/session.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { DescriptionList } from '../../../ui/description-list.tsx'
import { dayText } from '../../../ui/time.tsx'
import { useToast } from '../../../ui/toast/atoms.ts'
import { CorrectDialog } from './correct-dialog.tsx'
import { DeactivateDialog } from './deactivate-dialog.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { RoleDialog } from './role-dialog.tsx'
import { SecondFactorDialog } from './second-factor-dialog.tsx'
import { SignOutDialog } from './sign-out-dialog.tsx'

const Section = styled('section')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(4),
  marginTop: theme.spacing(8),
}))
const Actions = styled('div')(({ theme }) => ({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(2) }))

const factsOf = ({ state, mobileNumber, registeredAt, hasSecondFactor, notificationLanguage }: Person) =>
  [
    { name: 'State', value: state === 'active' ? 'Active' : 'Deactivated' },
    { name: 'Mobile number', value: mobileNumber },
    { name: 'Registered', value: dayText(registeredAt) },
    { name: 'Two-step verification', value: hasSecondFactor ? 'On' : '' },
    {
      name: 'Language of notifications',
      value: notificationLanguage ? languageNames[knownLanguage(notificationLanguage)] : '',
    },
  ].filter(({ value }) => value !== '')

const dialogs = {
  correct: CorrectDialog,
  role: RoleDialog,
  deactivate: DeactivateDialog,
  'second-factor': SecondFactorDialog,
  'sign-out': SignOutDialog,
} as const

type AccountSectionProps = {
  readonly person: Person
  readonly onChange: () => Promise<unknown>
  readonly onErased: (receipt: ErasureReceipt) => Promise<void>
}

/** The account of a person, and what an admin can do to it. */
export const AccountSection = ({ person, onChange, onErased }: AccountSectionProps) => {
  const [open, setOpen] = useState<keyof typeof dialogs | 'delete' | null>(null)
  const [busy, setBusy] = useState(false)
  const toast = useToast()
  const subject = 'account'

  const done = async (message: string) => {
    setOpen(null)
    toast.success(message, { subject })
    await onChange()
  }
  const reactivate = async () => {
    setBusy(true)
    const answer = await call(reactivatePerson, { params: { id: person._id } })
    setBusy(false)
    if (answer.success) await done(answer.data.message)
    else toast.error(answer.message, { subject })
  }
  const close = () => setOpen(null)
  const isActive = person.state === 'active'
  const isOwn = useSession()?.user._id === person._id
  const ChangeDialog = open === null || open === 'delete' ? undefined : dialogs[open]

  return (
    <Section aria-labelledby="account-heading">
      <Typography variant="h2" id="account-heading">
        Account
      </Typography>
      <DescriptionList items={factsOf(person)} />
      <Actions>
        <Button variant="outlined" color="secondary" onClick={() => setOpen('correct')}>
          Correct
        </Button>
        <Button variant="outlined" color="secondary" onClick={() => setOpen('role')}>
          Change role
        </Button>
        {/* One button for both, so that the focus stays on it. */}
        <BusyButton
          variant="outlined"
          color="secondary"
          busy={busy}
          onClick={() => (isActive ? setOpen('deactivate') : void reactivate())}
        >
          {isActive ? 'Deactivate' : 'Reactivate'}
        </BusyButton>
        {person.hasSecondFactor && person.role !== 'admin' && (
          <Button variant="outlined" color="secondary" onClick={() => setOpen('second-factor')}>
            Turn off two-step verification
          </Button>
        )}
        {person.sessions && isActive && !isOwn && (
          <Button variant="outlined" color="secondary" onClick={() => setOpen('sign-out')}>
            Sign out of all devices
          </Button>
        )}
        <Button variant="outlined" color="error" onClick={() => setOpen('delete')}>
          Delete account
        </Button>
      </Actions>
      {ChangeDialog && <ChangeDialog person={person} onDone={done} onCancel={close} />}
      {open === 'delete' && (
        <DeleteDialog
          person={person}
          onDone={async (receipt) => {
            close()
            await onErased(receipt)
          }}
          onCancel={close}
        />
      )}
    </Section>
  )
}
