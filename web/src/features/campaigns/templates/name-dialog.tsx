import { createTemplate } from '@portal/contracts/notifications/templates'
import { useState } from 'react'
import { useValidatedForm } from '../../../lib/form.ts'
import type { Failure } from '../../../lib/http.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'

const nameSchema = createTemplate.body.pick({ name: true })

type NameDialogProps = {
  readonly title: string
  readonly name: string
  /** Whether saving under the name replaces a template. */
  readonly replaces?: (name: string) => boolean
  readonly onSave: (name: string) => Promise<Failure | undefined>
  readonly onClose: () => void
}

/** Asks for the name of a template. */
export const NameDialog = ({ title, name, replaces = () => false, onSave, onClose }: NameDialogProps) => {
  const form = useValidatedForm(nameSchema, { name })
  const [failure, setFailure] = useState<string>()
  const isReplaced = replaces(form.watch('name'))
  const save = form.handleSubmit(async (checked) => {
    setFailure(undefined)
    const failed = await onSave(checked.name)
    if (!failed) return onClose()
    if (failed.errors?.['name'] === undefined) setFailure(failed.message)
    return form.showErrors(failed.errors)
  })
  return (
    <FormDialog
      title={title}
      submitText={isReplaced ? 'Replace' : 'Save'}
      busy={form.formState.isSubmitting}
      failure={failure}
      onSubmit={save}
      onCancel={onClose}
    >
      <TextField
        label="Name"
        hint={isReplaced ? 'The template with this name is replaced, for all admins.' : 'All admins can use it.'}
        autoFocus
        required
        autoComplete="off"
        {...form.field('name')}
      />
    </FormDialog>
  )
}
