import { deactivatePerson } from '@portal/contracts/auth/accounts'
import { z } from 'zod'
import { useValidatedForm } from '../../../lib/form.ts'
import { call } from '../../../lib/http.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { ChangeDialogProps } from './change-dialog.ts'
import { OwnPasswordField } from './own-password-field.tsx'
import { useRefusal } from './use-refusal.ts'

const { reason, password } = deactivatePerson.body.shape
const ofAdmin = z.object({ reason, password: password.unwrap() })
const ofOther = z.object({ reason, password: z.literal('').transform(() => undefined) })

export const DeactivateDialog = ({ person, onDone, onCancel }: ChangeDialogProps) => {
  const isAdmin = person.role === 'admin'
  const form = useValidatedForm(z.union([isAdmin ? ofAdmin : ofOther]), { reason: '', password: '' })
  const refusal = useRefusal(form)
  const save = form.handleSubmit(async (body) => {
    const done = await refusal.accepted(call(deactivatePerson, { params: { id: person._id }, body }))
    return done && onDone(done.message)
  })
  return (
    <FormDialog
      title={`Deactivate the account of ${person.fullName}?`}
      consequence="This person is signed out everywhere, cannot log in and gets no notifications. You can undo it."
      submitText="Deactivate"
      busy={form.formState.isSubmitting}
      destructive
      failure={refusal.failure}
      onSubmit={save}
      onCancel={onCancel}
    >
      <TextField
        label="Reason"
        hint="Other admins see it."
        autoFocus
        required
        autoComplete="off"
        {...form.field('reason')}
      />
      {isAdmin && <OwnPasswordField {...form.field('password')} />}
    </FormDialog>
  )
}
