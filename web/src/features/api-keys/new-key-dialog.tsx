import FormHelperText from '@mui/material/FormHelperText'
import { styled } from '@mui/material/styles'
import { type ApiKey, createApiKey } from '@portal/contracts/auth/api-keys'
import { apiKeyRights, type ApiKeyRight } from '@portal/contracts/auth/api-key-rights'
import { type Ref, useId, useState } from 'react'
import { Controller } from 'react-hook-form'
import { useValidatedForm } from '../../lib/form.ts'
import { call } from '../../lib/http.ts'
import { useSession } from '../../lib/session.ts'
import { CheckBox } from '../../ui/check-box.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { PasswordField, TextField } from '../../ui/text-field.tsx'
import { UsernameField } from '../../ui/username-field.tsx'
import { rightName } from './rights.ts'

const Rights = styled('fieldset')(({ theme }) => ({
  margin: 0,
  padding: 0,
  border: 0,
  '& legend': { ...theme.typography.body2, padding: 0, fontWeight: 500 },
  '& label': {
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(3),
    width: 'fit-content',
    minHeight: theme.portal.sizes.target,
    cursor: 'pointer',
  },
}))

type RightsFieldProps = {
  /** Gets the focus if no right is chosen. */
  readonly firstRef: Ref<HTMLInputElement>
  readonly value: readonly ApiKeyRight[]
  readonly error: string | undefined
  readonly onChange: (rights: ApiKeyRight[]) => void
}

const RightsField = ({ firstRef, value, error, onChange }: RightsFieldProps) => {
  const message = useId()
  return (
    <Rights aria-describedby={error === undefined ? undefined : message}>
      <legend>What the key can do</legend>
      {apiKeyRights.map((right, index) => (
        <label key={right}>
          <CheckBox
            {...(index === 0 && { ref: firstRef })}
            type="checkbox"
            checked={value.includes(right)}
            onChange={({ target }) =>
              onChange(apiKeyRights.filter((known) => (known === right ? target.checked : value.includes(known))))
            }
          />
          {rightName[right]}
        </label>
      ))}
      {error !== undefined && (
        <FormHelperText id={message} error role="alert">
          {error}
        </FormHelperText>
      )}
    </Rights>
  )
}

export type NewKey = { readonly apiKey: ApiKey; readonly key: string }

type NewKeyDialogProps = { readonly onCreated: (created: NewKey) => void; readonly onCancel: () => void }

export const NewKeyDialog = ({ onCreated, onCancel }: NewKeyDialogProps) => {
  const form = useValidatedForm(createApiKey.body, { label: '', rights: [], password: '' })
  const [failure, setFailure] = useState<string>()
  const create = form.handleSubmit(async (body) => {
    setFailure(undefined)
    const answer = await call(createApiKey, { body })
    if (answer.success) return onCreated(answer.data)
    if (answer.errors === undefined) setFailure(answer.message)
    return form.showErrors(answer.errors)
  })
  return (
    <FormDialog
      title="New API key"
      consequence="Whoever has the key acts in your name."
      submitText="Create key"
      busy={form.formState.isSubmitting}
      failure={failure}
      onSubmit={create}
      onCancel={onCancel}
    >
      <TextField
        label="Label"
        hint="Such as the name of the program that will use it"
        autoFocus
        required
        autoComplete="off"
        {...form.field('label')}
      />
      <Controller
        name="rights"
        control={form.control}
        render={({ field: { ref, value, onChange } }) => (
          <RightsField
            firstRef={ref}
            value={value}
            error={form.errorOf('rights')}
            onChange={(rights) => {
              form.clearErrors('rights')
              onChange(rights)
            }}
          />
        )}
      />
      <div>
        <UsernameField email={useSession()?.user.personalEmail ?? ''} />
        <PasswordField label="Your password" autoComplete="current-password" required {...form.field('password')} />
      </div>
    </FormDialog>
  )
}
