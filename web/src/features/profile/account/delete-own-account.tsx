import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { eraseOwnAccount, type ErasureReceipt } from '@portal/contracts/auth/accounts'
import { useState } from 'react'
import { useValidatedForm } from '../../../lib/form.ts'
import { call } from '../../../lib/http.ts'
import { endSession } from '../../../lib/session.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { PasswordField } from '../../../ui/text-field.tsx'
import { exactTime } from '../../../ui/time.tsx'
import { UsernameField } from '../../../ui/username-field.tsx'

const Section = styled('section')(({ theme }) => ({
  display: 'grid',
  justifyItems: 'start',
  gap: theme.spacing(4),
  marginTop: theme.spacing(8),
  paddingTop: theme.spacing(6),
  borderTop: `1px solid ${theme.vars.palette.divider}`,
}))

const farewell = ({ id, erasedAt }: ErasureReceipt): string =>
  `Your account was deleted on ${exactTime(erasedAt)}. Your receipt: ${id}`

type DialogProps = { readonly email: string; readonly onCancel: () => void }

const DeleteDialog = ({ email, onCancel }: DialogProps) => {
  const form = useValidatedForm(eraseOwnAccount.body, { password: '' })
  const [failure, setFailure] = useState<string>()
  const confirm = form.handleSubmit(async (body) => {
    setFailure(undefined)
    const answer = await call(eraseOwnAccount, { body })
    if (answer.success) return endSession('logged-out', farewell(answer.data.receipt))
    if (answer.errors === undefined) setFailure(answer.message)
    return form.showErrors(answer.errors)
  })
  return (
    <FormDialog
      title="Delete your account?"
      consequence={
        <>
          Your name, email address, mobile number and university are erased: nobody can read them again. You are signed
          out everywhere and get no more notifications. Your enrollments stay without your name. This cannot be undone.
        </>
      }
      submitText="Delete my account"
      destructive
      busy={form.formState.isSubmitting}
      failure={failure}
      onSubmit={confirm}
      onCancel={onCancel}
    >
      <div>
        <UsernameField email={email} />
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          autoFocus
          required
          {...form.field('password')}
        />
      </div>
    </FormDialog>
  )
}

/** Ends the account of the user who is signed in. The login page then shows the receipt. */
export const DeleteOwnAccount = ({ email }: { readonly email: string }) => {
  const [asking, setAsking] = useState(false)
  return (
    <Section aria-labelledby="delete-heading">
      <Typography variant="h2" id="delete-heading">
        Delete account
      </Typography>
      <Typography color="textSecondary">
        Erases your name, address, number and university. This cannot be undone.
      </Typography>
      <Button variant="outlined" color="error" onClick={() => setAsking(true)}>
        Delete my account
      </Button>
      {asking && <DeleteDialog email={email} onCancel={() => setAsking(false)} />}
    </Section>
  )
}
