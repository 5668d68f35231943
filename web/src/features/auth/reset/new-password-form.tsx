import { useState } from 'react'
import { useCheckedForm } from '../../../lib/form.ts'
import type { Failure } from '../../../lib/http.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { PasswordField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/toast/atoms.ts'
import { setNewPassword } from '../api.ts'
import { AuthPage, Form } from '../auth-page.tsx'
import { useRedirect } from '../use-redirect.ts'
import { newPasswordSchema } from './forms.ts'
import { LinkGone, linkNotValid } from './link-gone.tsx'

const redirectAfterMs = 2000

/** The server found nothing wrong with the password, so it was the link. */
const isAboutLink = ({ code, errors }: Failure): boolean =>
  code === 'not-found' || (code === 'invalid' && errors?.['password'] === undefined)

/** Step 2, with the token of a link. */
export const NewPasswordForm = ({ token }: { token: string }) => {
  const { field, handleSubmit, setError } = useCheckedForm(newPasswordSchema, { password: '', confirmPassword: '' })
  const [busy, setBusy] = useState(false)
  const [isLinkGone, setIsLinkGone] = useState(false)
  const redirect = useRedirect()
  const toast = useToast()

  const submit = handleSubmit(async ({ password }) => {
    setBusy(true)
    const answer = await setNewPassword(token, password)
    if (answer.success) {
      toast.success('Password reset successfully! Redirecting to login...')
      // Stays busy: the password is set, and the page is about to change.
      redirect({ to: '/login' }, redirectAfterMs)
      return
    }
    setBusy(false)
    setIsLinkGone(isAboutLink(answer))
    toast.error(isAboutLink(answer) ? linkNotValid : answer.message || 'Failed to reset password')
    const message = answer.errors?.['password']
    if (message) setError('password', { message }, { shouldFocus: true })
  })

  if (isLinkGone) return <LinkGone />
  return (
    <AuthPage title="Set New Password" subtitle="Once it is set, all your devices are logged out.">
      <Form noValidate onSubmit={submit}>
        <PasswordField
          label="New Password"
          autoComplete="new-password"
          required
          hint="At least 8 characters with an uppercase letter, a lowercase letter, a digit and a special character."
          {...field('password', { clears: ['confirmPassword'] })}
        />
        <PasswordField label="Confirm Password" autoComplete="new-password" required {...field('confirmPassword')} />
        <BusyButton type="submit" size="large" fullWidth busy={busy} busyText="Resetting...">
          Reset Password
        </BusyButton>
      </Form>
    </AuthPage>
  )
}
