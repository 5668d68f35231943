import { limits } from '@portal/contracts/shared/rules'
import { PictureUpload } from '../../../ui/picture-upload.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { useDraft } from '../use-draft.ts'
import { OptionalFields } from './optional-fields.tsx'

type PictureFieldProps = { readonly form: ReturnType<typeof useDraft>['form'] }

/** The picture above the message. */
export const PictureField = ({ form: { field, getValues, setValue, setError, clearErrors } }: PictureFieldProps) => (
  <OptionalFields
    label="Picture"
    addText="Add a picture"
    removeText="Remove the picture"
    isFilled={() => Boolean(getValues('image'))}
    onRemove={() => {
      setValue('image', '')
      clearErrors('image')
    }}
  >
    {(isAdded) => (
      <TextField
        label="Image URL"
        hint="Wide pictures fit best: 16 to 9"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        autoFocus={isAdded}
        inputProps={{ maxLength: limits.notificationImageChars }}
        {...field('image')}
        endAdornment={
          <PictureUpload
            onUploaded={(url) => {
              clearErrors('image')
              setValue('image', url, { shouldDirty: true })
            }}
            onError={(message) => setError('image', { message })}
          />
        }
      />
    )}
  </OptionalFields>
)
