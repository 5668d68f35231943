import Button from '@mui/material/Button'
import { useEffect } from 'react'
import { useValidatedForm } from '../../../lib/form.ts'
import type { Failure } from '../../../lib/http.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Actions, Form } from '../auth-page.tsx'
import { contactSchema, phoneDigitsOf, type Contact } from './forms.ts'

type ContactStepProps = {
  readonly contact: Contact
  readonly focus: keyof Contact
  readonly busy: boolean
  readonly onBack: (typed: Contact) => void
  readonly onSend: (contact: Contact) => Promise<Failure | undefined>
}

export const ContactStep = ({ contact, focus, busy, onBack, onSend }: ContactStepProps) => {
  const { field, handleSubmit, getValues, setFocus, setError } = useValidatedForm(contactSchema, contact)

  useEffect(() => setFocus(focus), [focus, setFocus])

  const submit = handleSubmit(async (checked) => {
    const failure = await onSend(checked)
    const { personalEmail, mobileNumber } = failure?.errors ?? {}
    if (mobileNumber) setError('phone', { message: mobileNumber }, { shouldFocus: true })
    if (personalEmail) setError('email', { message: personalEmail }, { shouldFocus: true })
  })

  return (
    <Form noValidate onSubmit={submit}>
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        inputMode="email"
        spellCheck={false}
        required
        {...field('email')}
      />
      <TextField
        label="Mobile number"
        type="tel"
        autoComplete="tel-national"
        inputMode="numeric"
        required
        hint="10 digits, without the country code."
        {...field('phone', { reshape: phoneDigitsOf })}
      />
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
