import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { forgotPassword } from '@portal/contracts/auth/http'
import { useEffect, useId, useRef, useState } from 'react'
import { useValidatedForm } from '../../../lib/form.ts'
import type { Failure } from '../../../lib/http.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/toast/atoms.ts'
import { requestResetLink } from '../api.ts'
import { AuthLink, AuthPage, Choices, Form } from '../auth-page.tsx'
import { FormFailure, useFormFailure } from '../form-failure.tsx'
import { useCountdown } from '../registration/use-countdown.ts'

type AddressFormProps = {
  /** The address that was typed before. */
  readonly address: string
  readonly busy: boolean
  readonly failure: string | undefined
  readonly onEdit: () => void
  readonly onSend: (address: string) => Promise<Failure | undefined>
}

/** Step 1: the address that gets the link. */
const AddressForm = ({ address, busy, failure, onEdit, onSend }: AddressFormProps) => {
  const { field, handleSubmit, setError } = useValidatedForm(forgotPassword.body, { personalEmail: address })

  const submit = handleSubmit(async ({ personalEmail }) => {
    const answer = await onSend(personalEmail)
    const message = answer?.errors?.['personalEmail']
    if (message) setError('personalEmail', { message }, { shouldFocus: true })
  })

  return (
    <AuthPage title="Reset Password" subtitle="Enter your personal email and we’ll send you a reset link.">
      <Form noValidate onSubmit={submit} onChange={onEdit}>
        <TextField
          label="Personal email"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          required
          {...field('personalEmail')}
        />
        <FormFailure message={failure} />
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

const Message = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(3),
  padding: theme.spacing(4),
  borderLeft: `3px solid ${theme.vars.palette.primary.main}`,
  backgroundColor: theme.vars.palette.portal.accentSoft,
  overflowWrap: 'anywhere',
  '& p': { margin: 0 },
  '& b': { fontWeight: 600 },
}))

/** Two text buttons, the first with its countdown. */
const Alternatives = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  minHeight: theme.portal.sizes.target,
  marginInline: theme.spacing(-3),
  '& > :last-child': { marginLeft: 'auto' },
  // The accent is for what can be pressed now.
  '& [aria-disabled="true"]': { color: theme.vars.palette.text.secondary, opacity: 1 },
}))

const Wait = styled('span')(({ theme }) => ({
  ...theme.typography.body2,
  color: theme.vars.palette.text.secondary,
  fontVariantNumeric: 'tabular-nums',
}))

type LinkSentProps = {
  readonly address: string
  readonly busy: boolean
  /** ms since 1970. */
  readonly resendFrom: number
  readonly failure: string | undefined
  readonly onResend: () => void
  readonly onOtherAddress: () => void
}

/** Step 2: what to do now, and what to do if no mail arrives. */
const LinkSent = ({ address, busy, resendFrom, failure, onResend, onOtherAddress }: LinkSentProps) => {
  const waitId = useId()
  const message = useRef<HTMLDivElement>(null)
  const seconds = useCountdown(resendFrom)
  const isWaiting = seconds > 0

  // The button that had the focus is unmounted.
  useEffect(() => message.current?.focus(), [])

  return (
    <AuthPage title="Check your email">
      <Message ref={message} tabIndex={-1} role="status">
        <p>
          <b>Password reset link sent to your email!</b>
        </p>
        <p>
          It goes to <b>{address}</b> if that address belongs to an account.
        </p>
        <p>The link works once and expires in 30 minutes. Not there? Check your spam folder.</p>
      </Message>
      <Choices>
        <Button component={AuthLink} to="/login" size="large" fullWidth>
          Back to Login
        </Button>
        <Alternatives>
          {/* Busy instead of disabled, so that it keeps the focus after it was pressed. */}
          <BusyButton
            variant="text"
            size="small"
            busy={busy || isWaiting}
            {...(isWaiting && { 'aria-describedby': waitId })}
            onClick={onResend}
          >
            Resend Link
          </BusyButton>
          {isWaiting && <Wait id={waitId} translate="no">{`in ${seconds} s`}</Wait>}
          <Button variant="text" size="small" onClick={onOtherAddress}>
            Use another email
          </Button>
        </Alternatives>
        <FormFailure message={failure} />
      </Choices>
    </AuthPage>
  )
}

/** A mail takes a moment, and a second request invalidates the first link. */
const resendAfterMs = 30_000

/** A newer toast of the form replaces the older one. */
const subject = 'reset'

type Sent = { readonly to: string; readonly resendFrom: number }

/** The time after a wait, by the clock of this device. */
const msFromNow = (waitMs: number): number => Date.now() + waitMs

/** Requests a reset link: asks for the address, then confirms it. */
export const RequestLink = () => {
  const [address, setAddress] = useState('')
  const [sent, setSent] = useState<Sent>()
  const [busy, setBusy] = useState(false)
  const toast = useToast()
  const requestFailure = useFormFailure(subject)

  const send = async (to: string): Promise<Failure | undefined> => {
    // Enter submits a form of one field even while its button is busy.
    if (busy) return undefined
    setAddress(to)
    setBusy(true)
    requestFailure.clear()
    const answer = await requestResetLink(to)
    setBusy(false)
    if (!answer.success) {
      if (!answer.errors?.['personalEmail']) requestFailure.show(answer.message || 'Failed to send reset email')
      const { retryAfterSeconds } = answer
      if (retryAfterSeconds)
        setSent((before) => before && { ...before, resendFrom: msFromNow(retryAfterSeconds * 1000) })
      return answer
    }
    // The page says that the link was sent. After a resend, it would look the same.
    if (sent) toast.success('A new link is on its way.', { subject })
    setSent({ to, resendFrom: msFromNow(resendAfterMs) })
    return undefined
  }

  const failure = requestFailure.message
  if (!sent)
    return <AddressForm address={address} busy={busy} failure={failure} onEdit={requestFailure.onEdit} onSend={send} />
  return (
    <LinkSent
      address={sent.to}
      busy={busy}
      resendFrom={sent.resendFrom}
      failure={failure}
      onResend={() => void send(sent.to)}
      onOtherAddress={() => {
        requestFailure.clear()
        setSent(undefined)
      }}
    />
  )
}
