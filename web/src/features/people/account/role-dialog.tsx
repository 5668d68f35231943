import { changeRole } from '@portal/contracts/auth/accounts'
import { roleSchema } from '@portal/contracts/auth/user'
import { Controller } from 'react-hook-form'
import { z } from 'zod'
import { useValidatedForm } from '../../../lib/form.ts'
import { call } from '../../../lib/http.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { roleName } from '../../../ui/role-name.ts'
import { SelectField } from '../../../ui/select-field.tsx'
import type { ChangeDialogProps } from './change-dialog.ts'
import { OwnPasswordField } from './own-password-field.tsx'
import { useRefusal } from './use-refusal.ts'

/** None is chosen at first, because each gives or takes rights. */
const schema = z.object({
  role: z.union([z.literal(''), roleSchema]).pipe(z.enum(roleSchema.options, 'Please choose a role')),
  password: changeRole.body.shape.password,
})

export const RoleDialog = ({ person, onDone, onCancel }: ChangeDialogProps) => {
  const others = roleSchema.options.filter((role) => role !== person.role)
  const form = useValidatedForm(schema, { role: '', password: '' })
  const refusal = useRefusal(form)
  const save = form.handleSubmit(async (body) => {
    const done = await refusal.accepted(call(changeRole, { params: { id: person._id }, body }))
    return done && onDone(done.message)
  })
  return (
    <FormDialog
      title={`Change the role of ${person.fullName}`}
      consequence={`Now ${roleName(person.role)}. All devices of this person are signed out; the password stays.`}
      submitText="Change role"
      busy={form.formState.isSubmitting}
      failure={refusal.failure}
      onSubmit={save}
      onCancel={onCancel}
    >
      <Controller
        name="role"
        control={form.control}
        render={({ field: { ref, value, onChange } }) => (
          <SelectField
            ref={ref}
            label="New role"
            placeholder="Choose a role"
            required
            value={value}
            options={others}
            labelOf={roleName}
            onChange={(role) => {
              form.clearErrors('role')
              onChange(role)
            }}
            error={form.errorOf('role')}
          />
        )}
      />
      <OwnPasswordField {...form.field('password')} />
    </FormDialog>
  )
}
