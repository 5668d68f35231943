import { invitedRoles, type InvitedRole } from '@portal/contracts/auth/invitations'
import type { Ref } from 'react'
import { roleName } from '../../../ui/role-name.ts'
import { SelectField } from '../../../ui/select-field.tsx'

type RoleFieldProps = {
  readonly value: InvitedRole | ''
  readonly onChange: (role: InvitedRole) => void
  readonly error?: string | undefined
  readonly ref?: Ref<{ focus: () => void }>
}

export const RoleField = ({ value, onChange, error, ref }: RoleFieldProps) => (
  <SelectField
    {...(ref && { ref })}
    label="Role"
    placeholder="Choose a role"
    required
    value={value}
    options={invitedRoles}
    labelOf={roleName}
    onChange={onChange}
    error={error}
  />
)
