import { signOutPerson } from '@portal/contracts/auth/accounts'
import { useValidatedForm } from '../../../lib/form.ts'
import { call } from '../../../lib/http.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import type { ChangeDialogProps } from './change-dialog.ts'
import { OwnPasswordField } from './own-password-field.tsx'
import { useRefusal } from './use-refusal.ts'

export const SignOutDialog = ({ person, onDone, onCancel }: ChangeDialogProps) => {
  const form = useValidatedForm(signOutPerson.body, { password: '' })
  const refusal = useRefusal(form)
  const save = form.handleSubmit(async (body) => {
    const done = await refusal.accepted(call(signOutPerson, { params: { id: person._id }, body }))
    return done && onDone(done.message)
  })
  return (
    <FormDialog
      title={`Sign ${person.fullName} out of all devices?`}
      consequence="The password stays the same. To prevent new logins, deactivate the account."
      submitText="Sign out"
      busy={form.formState.isSubmitting}
      destructive
      failure={refusal.failure}
      onSubmit={save}
      onCancel={onCancel}
    >
      <OwnPasswordField autoFocus {...form.field('password')} />
    </FormDialog>
  )
}
