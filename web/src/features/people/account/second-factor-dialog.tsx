import { resetSecondFactor } from '@portal/contracts/auth/accounts'
import { z } from 'zod'
import { useValidatedForm } from '../../../lib/form.ts'
import { call } from '../../../lib/http.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import type { ChangeDialogProps } from './change-dialog.ts'
import { OwnPasswordField } from './own-password-field.tsx'
import { useRefusal } from './use-refusal.ts'

const schema = z.object({ password: resetSecondFactor.body.shape.password })

export const SecondFactorDialog = ({ person, onDone, onCancel }: ChangeDialogProps) => {
  const form = useValidatedForm(schema, { password: '' })
  const refusal = useRefusal(form)
  const save = form.handleSubmit(async (body) => {
    const done = await refusal.accepted(call(resetSecondFactor, { params: { id: person._id }, body }))
    return done && onDone(done.message)
  })
  return (
    <FormDialog
      title={`Turn off the two-step verification of ${person.fullName}?`}
      consequence="Then the password suffices to log in. Make sure that it is this person who asks for it."
      submitText="Turn off"
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
