import { styled } from '@mui/material/styles'
import FormHelperText from '@mui/material/FormHelperText'
import { confirmTotp } from '@portal/contracts/auth/second-factor'
import { useState, type ReactNode } from 'react'
import { useValidatedForm } from '../../../lib/form.ts'
import type { Failure } from '../../../lib/http.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { TextField } from '../../../ui/text-field.tsx'

const Form = styled('form')(({ theme }) => ({ display: 'grid', gap: theme.spacing(5) }))

type CodeFormProps = {
  readonly kind: 'app' | 'recovery'
  readonly submitText: string
  readonly busyText?: string
  /** Returns the failure, if the code was refused. */
  readonly onCode: (code: string) => Promise<Failure | undefined>
  /** Further buttons. */
  readonly children?: ReactNode
}

/** The fields for each kind of code. */
export const codeFields = {
  app: { label: 'Code from your authenticator app', inputMode: 'numeric', autoComplete: 'one-time-code' },
  recovery: { label: 'Recovery code', inputMode: 'text', autoComplete: 'off' },
} as const

/** A field for a code, which has the focus. A refused code can be typed over. */
export const CodeForm = ({ kind, submitText, busyText, onCode, children }: CodeFormProps) => {
  const form = useValidatedForm(confirmTotp.body, { code: '' })
  const { field, formState, handleSubmit, setFocus, showErrors } = form
  const [failure, setFailure] = useState<string>()
  const [done, setDone] = useState(false)
  const submit = handleSubmit(async ({ code }) => {
    setFailure(undefined)
    const refused = await onCode(code)
    if (refused === undefined) return setDone(true)
    if (refused.errors === undefined) setFailure(refused.message)
    showErrors(refused.errors)
    return setFocus('code', { shouldSelect: true })
  })
  return (
    <Form onSubmit={submit} noValidate>
      <TextField {...codeFields[kind]} autoFocus autoCapitalize="none" spellCheck={false} required {...field('code')} />
      {failure !== undefined && (
        <FormHelperText error role="alert">
          {failure}
        </FormHelperText>
      )}
      <BusyButton
        type="submit"
        size="large"
        busy={formState.isSubmitting || done}
        {...(busyText !== undefined && { busyText })}
      >
        {submitText}
      </BusyButton>
      {children}
    </Form>
  )
}
