import { limits } from '@portal/contracts/shared/rules'
import { TextField } from '../../../ui/text-field.tsx'
import { hasButton } from '../draft.ts'
import type { useDraft } from '../use-draft.ts'
import { OptionalFields } from './optional-fields.tsx'

/** The label and the address of the button below the message. */
export const ButtonFields = ({ form }: { readonly form: ReturnType<typeof useDraft>['form'] }) => (
  <OptionalFields
    label="Button"
    addText="Add a button"
    removeText="Remove the button"
    isFilled={() => hasButton(form.getValues('button'))}
    onRemove={() => {
      form.setValue('button.label', '')
      form.setValue('button.url', '')
      form.clearErrors('button')
    }}
  >
    {(isAdded) => (
      <>
        <TextField
          label="Button label"
          hint={`At most ${limits.buttonLabelChars} characters`}
          autoComplete="off"
          autoFocus={isAdded}
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
      </>
    )}
  </OptionalFields>
)
