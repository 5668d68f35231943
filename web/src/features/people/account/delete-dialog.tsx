import { erasePerson, type ErasureReceipt, type Person } from '@portal/contracts/auth/accounts'
import { wrongAddress } from '@portal/contracts/auth/account-errors'
import { cleanEmail } from '@portal/contracts/shared/typed-input'
import { z } from 'zod'
import { useValidatedForm } from '../../../lib/form.ts'
import { call } from '../../../lib/http.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { OwnPasswordField } from './own-password-field.tsx'
import { useRefusal } from './use-refusal.ts'

const { password } = erasePerson.body.shape
const noPassword = z.literal('').transform(() => undefined)

const schemaFor = ({ personalEmail, role }: Person) =>
  z.object({
    personalEmail: z.string().refine((typed) => cleanEmail(typed) === cleanEmail(personalEmail), wrongAddress.message),
    password: role === 'admin' ? password.unwrap() : noPassword,
  })

type DeleteDialogProps = {
  readonly person: Person
  readonly onDone: (receipt: ErasureReceipt) => Promise<void>
  readonly onCancel: () => void
}

export const DeleteDialog = ({ person, onDone, onCancel }: DeleteDialogProps) => {
  const form = useValidatedForm(schemaFor(person), { personalEmail: '', password: '' })
  const refusal = useRefusal(form)
  const save = form.handleSubmit(async (body) => {
    const done = await refusal.accepted(call(erasePerson, { params: { id: person._id }, body }))
    return done && onDone(done.receipt)
  })
  return (
    <FormDialog
      title={`Delete the account of ${person.fullName}?`}
      consequence={
        <>
          No one can read name, address, number and university again. This cannot be undone. To confirm, enter{' '}
          <strong>{person.personalEmail}</strong>.
        </>
      }
      submitText="Delete account"
      busy={form.formState.isSubmitting}
      destructive
      failure={refusal.failure}
      onSubmit={save}
      onCancel={onCancel}
    >
      <TextField
        label="Email address of the account"
        type="email"
        autoFocus
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('personalEmail')}
      />
      {person.role === 'admin' && <OwnPasswordField {...form.field('password')} />}
    </FormDialog>
  )
}
