import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { updateProfile } from '@portal/contracts/auth/profile-http'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useValidatedForm } from '../../../lib/form.ts'
import { updateSessionUser } from '../../../lib/session.ts'
import { useKeptForm } from '../../../lib/use-kept-form.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { DescriptionList } from '../../../ui/description-list.tsx'
import { ChevronRightIcon } from '../../../ui/icons.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { roleName } from '../../../ui/role-name.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/toast/atoms.ts'
import { ChangePassword } from '../../../features/profile/account/change-password.tsx'
import { DeleteOwnAccount } from '../../../features/profile/account/delete-own-account.tsx'
import { Appearance } from '../../../features/profile/components/appearance.tsx'
import { DownloadDataRow } from '../../../features/profile/components/download-data-row.tsx'
import { InstallRow } from '../../../features/profile/components/install-row.tsx'
import { LinkRows } from '../../../features/profile/components/link-rows.tsx'
import { LogOutButton } from '../../../features/profile/components/log-out-button.tsx'
import { keptProfile, reasonOf, saveName } from '../../../features/profile/profile-form.ts'
import { useProfile } from '../../../features/profile/use-profile.ts'

// In the same chunk, because the first load of every visitor lists the names of chunks.
export { ApiKeysPage } from './api-keys-page.tsx'

/** The page is as wide as the form, so that the Edit button is next to it. */
const Page = styled('div')({ maxWidth: 560 })
const Stack = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(8) }))
const Form = styled('form')(({ theme }) => ({ display: 'grid', gap: theme.spacing(4) }))
const Actions = styled('div')(({ theme }) => ({ display: 'flex', gap: theme.spacing(2) }))

/** A newer toast of the form replaces the older one. */
const subject = 'profile'

type NameFormProps = { readonly name: string; readonly onDone: () => void }

const NameForm = ({ name, onDone }: NameFormProps) => {
  const form = useValidatedForm(updateProfile.body, { fullName: name })
  const { field, handleSubmit, formState, showErrors } = form
  const { forget } = useKeptForm(form, keptProfile)
  const toast = useToast()

  const save = handleSubmit(async ({ fullName }) => {
    const answer = await saveName(fullName)
    if (!answer.success) {
      if (answer.errors?.['fullName']) toast.dismiss(subject)
      else toast.error(reasonOf(answer), { subject })
      return showErrors(answer.errors)
    }
    forget()
    updateSessionUser(answer.data.user)
    toast.success('Profile updated successfully!', { subject })
    return onDone()
  })

  return (
    <Form onSubmit={save} noValidate>
      <TextField label="Full name" autoFocus autoComplete="name" {...field('fullName')} />
      <Actions>
        <BusyButton type="submit" busy={formState.isSubmitting}>
          Save
        </BusyButton>
        <Button
          variant="text"
          color="secondary"
          onClick={() => {
            forget()
            onDone()
          }}
        >
          Cancel
        </Button>
      </Actions>
    </Form>
  )
}

export const AdminProfilePage = () => {
  const user = useProfile()
  const [mode, setMode] = useState<'shown' | 'editing' | 'edited'>('shown')
  const editing = mode === 'editing'
  if (!user) return null
  const nameFact = { name: 'Full name', value: user.fullName }
  const fixedFacts = [
    { name: 'Email', value: user.personalEmail },
    { name: 'Role', value: roleName(user.role) },
  ]
  return (
    <Page>
      <PageTitle
        title="Profile"
        actions={
          !editing && (
            <Button
              variant="outlined"
              color="secondary"
              // The field that had the focus is unmounted.
              autoFocus={mode === 'edited'}
              onClick={() => setMode('editing')}
            >
              Edit
            </Button>
          )
        }
      />
      <Stack>
        {editing && <NameForm name={user.fullName} onDone={() => setMode('edited')} />}
        <DescriptionList items={editing ? fixedFacts : [nameFact, ...fixedFacts]} />
        <LinkRows>
          <Link to="/admin/profile/notifications">
            Notification settings
            <ChevronRightIcon size={20} />
          </Link>
          <Link to="/admin/profile/sessions">
            Where you are signed in
            <ChevronRightIcon size={20} />
          </Link>
          <Link to="/admin/profile/api-keys">
            API keys
            <ChevronRightIcon size={20} />
          </Link>
          <Link to="/admin/profile/security">
            Two-step verification
            <ChevronRightIcon size={20} />
          </Link>
          <DownloadDataRow />
        </LinkRows>
        <Appearance />
        <div>
          <LogOutButton />
        </div>
        <ChangePassword email={user.personalEmail} />
        <DeleteOwnAccount email={user.personalEmail} />
        <InstallRow />
      </Stack>
    </Page>
  )
}
