import { limits } from '@portal/contracts/shared/rules'
import { useState } from 'react'
import { TextField } from '../../../ui/text-field.tsx'
import { hasButton } from '../draft.ts'
import type { useDraft } from '../use-draft.ts'
import { OptionalFields, Quiet } from './optional-fields.tsx'

/** The label and the address of the button below the message, once one is wanted. */
export const ButtonFields = ({ form }: { readonly form: ReturnType<typeof useDraft>['form'] }) => {
  const [isOpen, setOpen] = useState(() => hasButton(form.getValues('button')))
  /** What was pressed disappears, so the focus moves to what appears in its place. */
  const [wasPressed, setPressed] = useState(false)
  const toggle = () => {
    if (isOpen) {
      form.setValue('button.label', '')
      form.setValue('button.url', '')
      form.clearErrors('button')
    }
    setPressed(true)
    setOpen(!isOpen)
  }
  if (!isOpen)
    return (
      <Quiet variant="text" color="secondary" autoFocus={wasPressed} onClick={toggle}>
        Add a button
      </Quiet>
    )
  return (
    <OptionalFields role="group" aria-label="Button">
      <TextField
        label="Button label"
        hint={`At most ${limits.buttonLabelChars} characters`}
        autoComplete="off"
        autoFocus={wasPressed}
        {...form.field('button.label')}
      />
      <TextField
        label="Address"
        hint="https://…, or a page of the portal such as /my-program"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('button.url')}
      />
      <Quiet variant="text" color="secondary" aria-label="Remove the button" onClick={toggle}>
        Remove
      </Quiet>
    </OptionalFields>
  )
}
