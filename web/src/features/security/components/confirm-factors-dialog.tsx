import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { ownFactors } from '@portal/contracts/auth/factor-proof'
import { useState } from 'react'
import { z } from 'zod'
import { useValidatedForm } from '../../../lib/form.ts'
import type { Failure } from '../../../lib/http.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { PasswordField, TextField } from '../../../ui/text-field.tsx'
import { UsernameField } from '../../../ui/username-field.tsx'
import type { Way } from '../factor-ways.ts'
import type { Confirmation } from '../own-factors.ts'
import { codeFields } from './code-form.tsx'
import { OtherWays } from './other-ways.tsx'

const Ways = styled('div')(({ theme }) => ({
  display: 'grid',
  justifyItems: 'start',
  gap: theme.spacing(1),
  '& button': { marginInline: theme.spacing(-3) },
}))

const { password, code } = ownFactors.shape
const withoutCode = z.object({ password, code: z.string() })
const withCode = z.object({ password, code: code.unwrap() })

type ConfirmFactorsDialogProps = {
  readonly email: string
  readonly title: string
  readonly consequence?: string | undefined
  readonly submitText: string
  readonly destructive?: boolean
  /** Of proving the second factor. None while two-step verification is off. */
  readonly ways: readonly Way[]
  /** Returns the failure, if there is one. */
  readonly onConfirm: (confirmation: Confirmation) => Promise<Failure | undefined>
  readonly onCancel: () => void
}

const proofOf = (way: Way | undefined, typed: string): Confirmation['proof'] => {
  if (way === undefined) return { kind: 'none' }
  return way === 'passkey' ? { kind: 'passkey' } : { kind: 'code', code: typed }
}

/** Asks for the password, and for a proof of the second factor, before a change of how the user logs in. */
export const ConfirmFactorsDialog = (props: ConfirmFactorsDialogProps) => {
  const { email, consequence, ways, onConfirm, ...dialog } = props
  const [chosen, setChosen] = useState<Way>()
  const way = chosen ?? ways[0]
  const takesCode = way === 'app' || way === 'recovery'
  const form = useValidatedForm(takesCode ? withCode : withoutCode, { password: '', code: '' })
  const { field, formState, handleSubmit, resetField, setFocus, showErrors } = form
  const [failure, setFailure] = useState<string>()
  const choose = (next: Way) => {
    resetField('code')
    setFailure(undefined)
    setChosen(next)
    // The button that was pressed is gone. A field for a code takes the focus itself.
    if (next === 'passkey') setFocus('password')
  }
  const submit = handleSubmit(async (typed) => {
    setFailure(undefined)
    const refused = await onConfirm({ password: typed.password, proof: proofOf(way, typed.code) })
    if (refused === undefined) return
    if (refused.errors === undefined) setFailure(refused.message)
    showErrors(refused.errors)
  })
  return (
    <FormDialog
      {...dialog}
      {...(consequence !== undefined && { consequence })}
      busy={formState.isSubmitting}
      failure={failure}
      onSubmit={submit}
    >
      <div>
        <UsernameField email={email} />
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          autoFocus
          required
          {...field('password')}
        />
      </div>
      {takesCode && (
        <TextField
          key={way}
          {...codeFields[way]}
          autoFocus={chosen !== undefined}
          autoCapitalize="none"
          spellCheck={false}
          required
          {...field('code')}
        />
      )}
      {way === 'passkey' && <Typography>Your browser then asks for your passkey.</Typography>}
      {way !== undefined && (
        <Ways>
          <OtherWays way={way} ways={ways} onChoose={choose} />
        </Ways>
      )}
    </FormDialog>
  )
}
