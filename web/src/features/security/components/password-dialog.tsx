import { beginTotp } from '@portal/contracts/auth/second-factor'
import { useState } from 'react'
import { useValidatedForm } from '../../../lib/form.ts'
import type { Failure } from '../../../lib/http.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { PasswordField } from '../../../ui/text-field.tsx'
import { UsernameField } from '../../../ui/username-field.tsx'

type PasswordDialogProps = {
  readonly email: string
  readonly title: string
  readonly consequence?: string | undefined
  readonly submitText: string
  readonly destructive?: boolean
  /** Returns the failure, if there is one. */
  readonly onPassword: (password: string) => Promise<Failure | undefined>
  readonly onCancel: () => void
}

/** Asks for the password before a change of how the user logs in. */
export const PasswordDialog = ({ email, consequence, onPassword, ...dialog }: PasswordDialogProps) => {
  const { field, formState, handleSubmit, showErrors } = useValidatedForm(beginTotp.body, { password: '' })
  const [failure, setFailure] = useState<string>()
  const submit = handleSubmit(async ({ password }) => {
    setFailure(undefined)
    const refused = await onPassword(password)
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
    </FormDialog>
  )
}
