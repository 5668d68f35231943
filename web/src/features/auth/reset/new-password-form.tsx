import Button from '@mui/material/Button'
import { resetPassword } from '@portal/contracts/auth/http'
import { passwordsDoNotMatch } from '@portal/contracts/shared/rules'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { requiredText, useValidatedForm } from '../../../lib/form.ts'
import type { Failure } from '../../../lib/http.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { PasswordField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/toast/atoms.ts'
import { UsernameField } from '../../../ui/username-field.tsx'
import { setNewPassword } from '../api.ts'
import { AuthPage, Choices, Form, Notice, useRedirect } from '../auth-page.tsx'
import { FormFailure, useFormFailure } from '../form-failure.tsx'
import { NewPasswordField } from '../new-password-field.tsx'

const passwordSchema = requiredText('New Password').pipe(resetPassword.body.shape.password)
const confirmPasswordSchema = requiredText('Confirm Password')

const bothPasswords = z.object({ password: passwordSchema, confirmPassword: confirmPasswordSchema })

const newPasswordSchema = bothPasswords.refine((typed) => typed.password === typed.confirmPassword, {
  error: passwordsDoNotMatch,
  path: ['confirmPassword'],
  // Compared only when both are valid by themselves.
  when: ({ value }) => bothPasswords.safeParse(value).success,
})

const linkNotValid = 'This link has expired or was already used.'
const invitationNotValid = `${linkNotValid} Log in if you have set your password, or ask the center to invite you again.`

/** The link was used, replaced or has expired: no password can be set with it. */
const LinkExpired = ({ isInvitation }: { isInvitation: boolean }) => {
  const nextStep = useRef<HTMLAnchorElement>(null)

  // The button that had the focus is unmounted.
  useEffect(() => nextStep.current?.focus(), [])

  return (
    <AuthPage title="Set New Password">
      <Notice>{isInvitation ? invitationNotValid : linkNotValid}</Notice>
      <Choices>
        {!isInvitation && (
          <Button ref={nextStep} component={Link} to="/reset-password" replace size="large" fullWidth>
            Request a new link
          </Button>
        )}
        <Button
          {...(isInvitation && { ref: nextStep })}
          component={Link}
          to="/login"
          size="large"
          variant="outlined"
          color="secondary"
          fullWidth
        >
          Back to Login
        </Button>
      </Choices>
    </AuthPage>
  )
}

const redirectAfterMs = 2000

/** A newer toast of the form replaces the older one. */
const subject = 'reset'

/** The server rejects the link and not the password. */
const isAboutLink = ({ code, errors }: Failure): boolean =>
  code === 'not-found' || (code === 'invalid' && errors?.['password'] === undefined)

type NewPasswordFormProps = { token: string; email: string; isInvitation: boolean }

/** The last step, with the token of a link. That of an invitation makes the account. */
export const NewPasswordForm = ({ token, email, isInvitation }: NewPasswordFormProps) => {
  const { field, handleSubmit, setError, control } = useValidatedForm(newPasswordSchema, {
    password: '',
    confirmPassword: '',
  })
  const typedPassword = useWatch({ control, name: 'password' })
  const [busy, setBusy] = useState(false)
  const [isLinkExpired, setIsLinkExpired] = useState(false)
  const redirect = useRedirect()
  const toast = useToast()
  const requestFailure = useFormFailure(subject)

  const submit = handleSubmit(async ({ password }) => {
    setBusy(true)
    requestFailure.clear()
    const answer = await setNewPassword(token, password)
    if (answer.success) {
      toast.success('Password reset successfully! Redirecting to login...', { subject })
      // Stays busy until the redirect.
      redirect({ to: '/login' }, redirectAfterMs)
      return
    }
    setBusy(false)
    setIsLinkExpired(isAboutLink(answer))
    const message = answer.errors?.['password']
    // The page and the field show their own messages.
    if (message) setError('password', { message }, { shouldFocus: true })
    else if (!isAboutLink(answer)) requestFailure.show(answer.message || 'Failed to reset password')
  })

  if (isLinkExpired) return <LinkExpired isInvitation={isInvitation} />
  return (
    <AuthPage
      title="Set New Password"
      subtitle={isInvitation ? 'Choose the password of your new account.' : 'This logs you out on all devices.'}
    >
      <Form noValidate onSubmit={submit} onChange={requestFailure.onEdit}>
        {email !== '' && <UsernameField email={email} />}
        <NewPasswordField
          label="New Password"
          typed={typedPassword}
          {...field('password', { clears: ['confirmPassword'] })}
        />
        <PasswordField label="Confirm Password" autoComplete="new-password" required {...field('confirmPassword')} />
        <FormFailure message={requestFailure.message} />
        <BusyButton type="submit" size="large" fullWidth busy={busy} busyText="Resetting...">
          Reset Password
        </BusyButton>
      </Form>
    </AuthPage>
  )
}
