import { limits } from '@portal/contracts/shared/rules'
import { useState } from 'react'
import { PictureUpload } from '../../../ui/picture-upload.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { useDraft } from '../use-draft.ts'
import { OptionalFields, Quiet } from './optional-fields.tsx'

/** The picture above the message, once one is wanted. */
export const PictureField = ({ form }: { readonly form: ReturnType<typeof useDraft>['form'] }) => {
  const [isOpen, setOpen] = useState(() => Boolean(form.getValues('image')))
  /** What was pressed disappears, so the focus moves to what appears in its place. */
  const [wasPressed, setPressed] = useState(false)
  const toggle = () => {
    if (isOpen) {
      form.setValue('image', '')
      form.clearErrors('image')
    }
    setPressed(true)
    setOpen(!isOpen)
  }
  if (!isOpen)
    return (
      <Quiet variant="text" color="secondary" autoFocus={wasPressed} onClick={toggle}>
        Add a picture
      </Quiet>
    )
  return (
    <OptionalFields role="group" aria-label="Picture">
      <TextField
        label="Image URL"
        hint="Wide pictures fit best: 16 to 9"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        autoFocus={wasPressed}
        inputProps={{ maxLength: limits.notificationImageChars }}
        {...form.field('image')}
        endAdornment={
          <PictureUpload
            onUploaded={(url) => {
              form.clearErrors('image')
              form.setValue('image', url, { shouldDirty: true })
            }}
            onError={(message) => form.setError('image', { message })}
          />
        }
      />
      <Quiet variant="text" color="secondary" aria-label="Remove the picture" onClick={toggle}>
        Remove
      </Quiet>
    </OptionalFields>
  )
}
