import Button from '@mui/material/Button'
import { useEffect, useState } from 'react'
import { Controller } from 'react-hook-form'
import { useCheckedForm } from '../../../lib/form.ts'
import type { Failure } from '../../../lib/http.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { Form } from '../auth-page.tsx'
import { Actions } from './actions.tsx'
import { CodeEntry } from './code-entry.tsx'
import { codesSchema, type Codes, type Contact } from './forms.ts'
import type { Wizard } from './wizard.ts'

type CodesStepProps = {
  readonly wizard: Wizard
  readonly busy: boolean
  readonly onBack: () => void
  readonly onChange: (codes: Codes) => void
  readonly onEdit: (field: keyof Contact) => void
  readonly onResend: (code: keyof Codes) => Promise<void>
  readonly onVerify: (codes: Codes) => Promise<Failure | undefined>
}

const entries = [
  { name: 'emailOtp', label: 'Email OTP', field: 'email', editLabel: 'edit email', resend: 'Resend Email OTP' },
  { name: 'phoneOtp', label: 'Phone OTP', field: 'phone', editLabel: 'edit phone', resend: 'Resend Phone OTP' },
] as const

export const CodesStep = ({ wizard, busy, onBack, onChange, onEdit, onResend, onVerify }: CodesStepProps) => {
  const { control, handleSubmit, clearErrors, errorOf, getValues, setFocus, setError } = useCheckedForm(
    codesSchema,
    wizard.codes,
  )
  const [resending, setResending] = useState<keyof Codes>()

  useEffect(() => setFocus('emailOtp'), [setFocus])

  const submit = handleSubmit(async (codes) => {
    const failure = await onVerify(codes)
    const { otpEmail, otpMobile } = failure?.errors ?? {}
    if (otpMobile) setError('phoneOtp', { message: otpMobile }, { shouldFocus: true })
    if (otpEmail) setError('emailOtp', { message: otpEmail }, { shouldFocus: true })
  })

  const resend = async (code: keyof Codes) => {
    setResending(code)
    await onResend(code)
    setResending(undefined)
  }

  return (
    <Form noValidate onSubmit={submit}>
      {entries.map(({ name, label, field, editLabel, resend: resendText }) => (
        <Controller
          key={name}
          name={name}
          control={control}
          render={({ field: { ref, value, onChange: change } }) => (
            <CodeEntry
              label={label}
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
                // 'At least one' is said at the first field and mended by either.
                clearErrors()
                onChange(getValues())
              }}
              onEdit={() => onEdit(field)}
              onResend={() => void resend(name)}
            />
          )}
        />
      ))}
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
