import Button from '@mui/material/Button'
import InputAdornment from '@mui/material/InputAdornment'
import Link from '@mui/material/Link'
import { useEffect } from 'react'
import { Link as RouterLink, useLocation } from 'react-router-dom'
import { useValidatedForm } from '../../../lib/form.ts'
import { useCloseOnBack } from '../../../lib/history-guard.ts'
import type { Failure } from '../../../lib/http.ts'
import { loginStateOf, type KnownEmail } from '../../../lib/post-login-redirect.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Actions, Form } from '../auth-page.tsx'
import { FormFailure, useFormFailure } from '../form-failure.tsx'
import { contactSchema, phoneDigitsOf, type Contact } from './forms.ts'
import { subject } from './use-registration.ts'

type ContactStepProps = {
  readonly contact: Contact
  readonly focus: keyof Contact
  readonly busy: boolean
  readonly onBack: (typed: Contact) => void
  readonly onSend: (contact: Contact) => Promise<Failure | undefined>
}

const emailTaken = 'An account with this email already exists. Please log in.'

/** The error type of an address that has an account. */
const taken = 'taken'

/** Leads a user who has an account to the login page, with the address filled in. */
const LogInLink = ({ personalEmail }: KnownEmail) => {
  const { state } = useLocation()
  return (
    <Link component={RouterLink} to="/login" state={{ ...loginStateOf(state), personalEmail } satisfies KnownEmail}>
      Log in
    </Link>
  )
}

/** Whether the message is shown at a field of this step or the one before. */
const isAtField = ({ code, errors = {} }: Failure): boolean =>
  code === 'conflict' ||
  Object.keys(errors).some((name) => /^(fullName|universityName|password|personalEmail|mobileNumber)$/.test(name))

export const ContactStep = ({ contact, focus, busy, onBack, onSend }: ContactStepProps) => {
  const { field, handleSubmit, getValues, setFocus, setError, formState } = useValidatedForm(contactSchema, contact)
  const requestFailure = useFormFailure(subject)
  const { error: emailError, ...emailField } = field('email')
  const isTaken = formState.errors.email?.type === taken

  useEffect(() => setFocus(focus), [focus, setFocus])
  useCloseOnBack(!busy, () => onBack(getValues()))

  const submit = handleSubmit(async (checked) => {
    requestFailure.clear()
    const failure = await onSend(checked)
    if (!failure) return
    if (!isAtField(failure)) requestFailure.show(failure.message || 'Failed to send OTPs. Please try again.')
    const { personalEmail, mobileNumber } = failure.errors ?? {}
    if (mobileNumber) setError('phone', { message: mobileNumber }, { shouldFocus: true })
    if (personalEmail) setError('email', { message: personalEmail }, { shouldFocus: true })
    if (failure.code === 'conflict') {
      setError('email', { type: taken, message: failure.message || emailTaken }, { shouldFocus: true })
    }
  })

  return (
    <Form noValidate onSubmit={submit} onChange={requestFailure.onEdit}>
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        {...emailField}
        error={
          isTaken ? (
            <>
              <span>{emailError}</span> <LogInLink personalEmail={getValues('email').trim()} />
            </>
          ) : (
            emailError
          )
        }
      />
      <TextField
        label="Mobile number"
        type="tel"
        autoComplete="tel-national"
        inputMode="numeric"
        required
        startAdornment={<InputAdornment position="start">+91</InputAdornment>}
        {...field('phone', { reshape: phoneDigitsOf })}
      />
      <FormFailure message={requestFailure.message} />
      <Actions>
        <Button size="large" variant="outlined" color="secondary" disabled={busy} onClick={() => onBack(getValues())}>
          Back
        </Button>
        <BusyButton type="submit" size="large" busy={busy} busyText="Sending OTPs...">
          Send OTPs to Email &amp; Phone
        </BusyButton>
      </Actions>
    </Form>
  )
}
