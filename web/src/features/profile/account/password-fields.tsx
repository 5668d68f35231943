import type { ComponentProps } from 'react'
import { PasswordField } from '../../../ui/text-field.tsx'
import { UsernameField } from '../../../ui/username-field.tsx'

type Field = Omit<ComponentProps<typeof PasswordField>, 'label' | 'autoComplete'>

type PasswordFieldsProps = {
  readonly email: string
  readonly current: Field
  readonly next: Field
  readonly confirmation: Field
}

/** The fields that change a password. */
export const PasswordFields = ({ email, current, next, confirmation }: PasswordFieldsProps) => (
  <>
    {/* Lets a password manager find the account of this password. */}
    <UsernameField email={email} />
    <PasswordField label="Current password" autoComplete="current-password" {...current} />
    <PasswordField label="New password" autoComplete="new-password" {...next} />
    <PasswordField label="Confirm new password" autoComplete="new-password" {...confirmation} />
  </>
)
