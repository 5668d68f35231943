import Button from '@mui/material/Button'
import { useCheckedForm } from '../../../lib/form.ts'
import type { Failure } from '../../../lib/http.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { AuthLink } from '../auth-link.tsx'
import { AuthPage, Form } from '../auth-page.tsx'
import { addressSchema } from './forms.ts'

type AddressFormProps = {
  /** What was typed before. */
  readonly address: string
  readonly busy: boolean
  readonly onSend: (address: string) => Promise<Failure | undefined>
}

/** Step 1: where the link is to go. */
export const AddressForm = ({ address, busy, onSend }: AddressFormProps) => {
  const { field, handleSubmit, setError } = useCheckedForm(addressSchema, { personalEmail: address })

  const submit = handleSubmit(async ({ personalEmail }) => {
    const failure = await onSend(personalEmail)
    const message = failure?.errors?.['personalEmail']
    if (message) setError('personalEmail', { message }, { shouldFocus: true })
  })

  return (
    <AuthPage
      title="Reset Password"
      subtitle="Enter your personal email, and we send you a link to set a new password."
    >
      <Form noValidate onSubmit={submit}>
        <TextField
          label="Personal email"
          type="email"
          autoComplete="username"
          inputMode="email"
          spellCheck={false}
          required
          {...field('personalEmail')}
        />
        <BusyButton type="submit" size="large" fullWidth busy={busy} busyText="Sending...">
          Send Reset Link
        </BusyButton>
        <Button component={AuthLink} to="/login" size="large" variant="outlined" color="secondary" fullWidth>
          Back to Login
        </Button>
      </Form>
    </AuthPage>
  )
}
