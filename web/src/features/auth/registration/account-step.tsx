import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { useEffect } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import { useValidatedForm } from '../../../lib/form.ts'
import { supportEmail } from '../../../lib/support.ts'
import type { UniversityNames } from '../../../lib/use-university-names.ts'
import { ComboboxField } from '../../../ui/combobox/combobox-field.tsx'
import { PasswordField, TextField } from '../../../ui/text-field.tsx'
import { UsernameField } from '../../../ui/username-field.tsx'
import { Form } from '../auth-page.tsx'
import { NewPasswordField } from '../new-password-field.tsx'
import { accountSchema, type Account } from './forms.ts'
import type { AccountErrors } from './wizard.ts'

const fieldNames = ['name', 'university', 'password', 'confirmPassword'] as const

type AccountStepProps = {
  readonly account: Account
  /** Empty before the next step. */
  readonly email: string
  /** The errors of the server, by field. */
  readonly serverErrors: AccountErrors
  readonly universities: UniversityNames
  readonly onSave: (account: Account) => void
}

export const AccountStep = (props: AccountStepProps) => {
  const { account, email, serverErrors, onSave } = props
  const { state, reload } = props.universities
  const names = state.kind === 'loaded' ? state.data : []
  const { field, handleSubmit, control, clearErrors, setError, errorOf } = useValidatedForm(accountSchema, account)
  const typedPassword = useWatch({ control, name: 'password' })

  useEffect(() => {
    for (const name of fieldNames.toReversed()) {
      const message = serverErrors[name]
      if (message !== undefined) setError(name, { message }, { shouldFocus: true })
    }
  }, [serverErrors, setError])

  return (
    <Form noValidate onSubmit={handleSubmit(onSave)}>
      <TextField label="Name" autoComplete="name" autoCapitalize="words" required {...field('name')} />
      <Controller
        name="university"
        control={control}
        render={({ field: { ref, value, onChange } }) => (
          <ComboboxField
            ref={ref}
            label="University Name"
            placeholder={placeholderOf(state)}
            options={names}
            // A university that was renamed in the meantime must be chosen again.
            value={names.includes(value) ? value : ''}
            onChange={(name) => {
              clearErrors('university')
              onChange(name)
            }}
            noun={['university', 'universities']}
            footer={<NotListed />}
            disabled={names.length === 0}
            required
            // While the list has failed to load, the hint with the retry is more helpful than an error.
            error={state.kind === 'failed' ? undefined : errorOf('university')}
            hint={state.kind === 'failed' && <Reload onPress={reload} />}
          />
        )}
      />
      {email !== '' && <UsernameField email={email} />}
      <NewPasswordField
        label="Password"
        typed={typedPassword}
        {...field('password', { clears: ['confirmPassword'] })}
      />
      <PasswordField label="Confirm Password" autoComplete="new-password" required {...field('confirmPassword')} />
      <Button type="submit" size="large" fullWidth>
        Save
      </Button>
    </Form>
  )
}

const placeholderOf = (state: UniversityNames['state']): string => {
  if (state.kind === 'loading') return 'Loading universities...'
  return state.kind === 'loaded' && state.data.length === 0 ? 'There are no universities yet' : 'Choose your university'
}

const NotListed = () => (
  <Link href={`mailto:${supportEmail}?subject=${encodeURIComponent('My university is not listed')}`}>
    Not listed? Write to us
  </Link>
)

const Reload = ({ onPress }: { onPress: () => void }) => (
  <span role="alert">
    Failed to load universities. Please try again.{' '}
    <Link component="button" type="button" onClick={onPress}>
      Try again
    </Link>
  </span>
)
