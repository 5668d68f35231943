import Button from '@mui/material/Button'
import { useEffect, useState } from 'react'
import { Controller } from 'react-hook-form'
import { wrongCode } from '@portal/contracts/auth/errors'
import { clockTime } from '../../../lib/date-format.ts'
import { useValidatedForm } from '../../../lib/form.ts'
import { useCloseOnBack } from '../../../lib/history-guard.ts'
import type { Failure } from '../../../lib/http.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { UsernameField } from '../../../ui/username-field.tsx'
import { Actions, Form } from '../auth-page.tsx'
import { FormFailure, useFormFailure } from '../form-failure.tsx'
import { CodeEntry } from './code-entry.tsx'
import { codesSchema, type Codes, type Contact } from './forms.ts'
import { subject } from './use-registration.ts'
import type { Wizard } from './wizard.ts'

type CodesStepProps = {
  readonly wizard: Wizard
  readonly busy: boolean
  readonly onBack: () => void
  readonly onChange: (codes: Codes) => void
  readonly onEdit: (field: keyof Contact) => void
  readonly onResend: (code: keyof Codes) => Promise<Failure | undefined>
  readonly onVerify: (codes: Codes) => Promise<Failure | undefined>
}

/**
 * Only the phone field allows autofill. No autocomplete value stands for an emailed code, so the phone would offer the SMS code
 * in the email field.
 */
const entries = [
  {
    name: 'emailOtp',
    label: 'Email OTP',
    autoComplete: 'off',
    field: 'email',
    editLabel: 'edit email',
    resend: 'Resend Email OTP',
  },
  {
    name: 'phoneOtp',
    label: 'Phone OTP',
    autoComplete: 'one-time-code',
    field: 'phone',
    editLabel: 'edit phone',
    resend: 'Resend Phone OTP',
  },
] as const

/** The code of an earlier mail or SMS is wrong too, and the server does not tell the two apart. */
const withNewest = (message: string, sentAt: number): string =>
  message === wrongCode.message
    ? `${message} Only the newest code works. It was sent at ${clockTime(new Date(sentAt))}.`
    : message

/** The error of each code. If the server names no code, its message applies to every code that was entered. */
const errorsIn = (
  { code, message, errors }: Failure,
  entered: Codes,
  sentAt: Wizard['sentAt'],
): Record<keyof Codes, string | undefined> => {
  const { otpEmail, otpMobile } = errors ?? {}
  if (code !== 'invalid' || otpEmail || otpMobile) return { emailOtp: otpEmail, phoneOtp: otpMobile }
  return {
    emailOtp: entered.emailOtp && withNewest(message, sentAt.emailOtp),
    phoneOtp: entered.phoneOtp && withNewest(message, sentAt.phoneOtp),
  }
}

export const CodesStep = ({ wizard, busy, onBack, onChange, onEdit, onResend, onVerify }: CodesStepProps) => {
  const { control, handleSubmit, clearErrors, errorOf, getValues, setFocus, setError } = useValidatedForm(
    codesSchema,
    wizard.codes,
  )
  const requestFailure = useFormFailure(subject)
  const [resending, setResending] = useState<keyof Codes>()

  useEffect(() => setFocus('emailOtp'), [setFocus])
  useCloseOnBack(!busy, onBack)

  const submit = handleSubmit(async (codes) => {
    requestFailure.clear()
    const failure = await onVerify(codes)
    if (!failure) return
    const { emailOtp, phoneOtp } = errorsIn(failure, codes, wizard.sentAt)
    if (phoneOtp) setError('phoneOtp', { message: phoneOtp }, { shouldFocus: true })
    if (emailOtp) setError('emailOtp', { message: emailOtp }, { shouldFocus: true })
    if (!emailOtp && !phoneOtp) requestFailure.show(failure.message)
  })

  const resend = async (code: keyof Codes) => {
    setResending(code)
    requestFailure.clear()
    const failure = await onResend(code)
    setResending(undefined)
    if (failure) requestFailure.show(failure.message)
  }

  return (
    <Form noValidate onSubmit={submit}>
      {/* This step ends the registration: password managers then save what it has. */}
      <UsernameField email={wizard.contact.email} />
      {wizard.account.password !== '' && (
        <input type="password" autoComplete="new-password" value={wizard.account.password} readOnly hidden />
      )}
      {entries.map(({ name, label, autoComplete, field, editLabel, resend: resendText }) => (
        <Controller
          key={name}
          name={name}
          control={control}
          render={({ field: { ref, value, onChange: change } }) => (
            <CodeEntry
              label={label}
              autoComplete={autoComplete}
              sentTo={wizard.contact[field]}
              editLabel={editLabel}
              resendText={resendText}
              resendFrom={wizard.resendFrom[name]}
              resending={resending === name}
              value={value}
              error={errorOf(name)}
              fieldRef={ref}
              onChange={(digits) => {
                change(digits)
                // 'At least one' is shown at the first field, and either field resolves it.
                clearErrors()
                requestFailure.onEdit()
                onChange(getValues())
              }}
              onEdit={() => onEdit(field)}
              onResend={() => void resend(name)}
            />
          )}
        />
      ))}
      <FormFailure message={requestFailure.message} />
      <Actions>
        <Button size="large" variant="outlined" color="secondary" disabled={busy} onClick={onBack}>
          Back
        </Button>
        <BusyButton type="submit" size="large" busy={busy} busyText="Verifying...">
          Verify
        </BusyButton>
      </Actions>
    </Form>
  )
}
