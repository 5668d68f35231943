import { languageNames, secondLanguages } from '@portal/contracts/shared/languages'
import { Controller, useWatch } from 'react-hook-form'
import { SelectField } from '../../../ui/select-field.tsx'
import { hasTranslation, noTranslation } from '../draft.ts'
import type { useDraft } from '../use-draft.ts'
import { OptionalFields } from './optional-fields.tsx'
import { PushTextField } from './push-text-field.tsx'

const isSecondLanguage = (lang: string) => secondLanguages.find((known) => known === lang)

type TranslationFieldsProps = { readonly form: ReturnType<typeof useDraft>['form'] }

/** Title and message once more, for those who chose the language. */
export const TranslationFields = ({ form }: TranslationFieldsProps) => {
  const { control, errorOf, clearErrors, getValues, setValue } = form
  const lang = useWatch({ control, name: 'translation.lang' })
  const inputProps = { lang: lang || undefined }
  return (
    <OptionalFields
      label="Second language"
      addText="Add a second language"
      removeText="Remove the second language"
      isFilled={() => hasTranslation(getValues('translation'))}
      onRemove={() => {
        setValue('translation', noTranslation)
        clearErrors('translation')
      }}
    >
      {(isAdded) => (
        <>
          <Controller
            name="translation.lang"
            control={control}
            render={({ field: { ref, value = '', onChange, onBlur } }) => (
              <SelectField
                ref={ref}
                label="Language"
                hint="For recipients who chose it in their profile. All others get the text above."
                placeholder="Choose a language"
                options={secondLanguages}
                labelOf={(option) => languageNames[option]}
                langOf={(option) => option}
                autoFocus={isAdded}
                value={isSecondLanguage(value) ?? ''}
                error={errorOf('translation.lang')}
                onChange={(chosen) => {
                  clearErrors('translation.lang')
                  onChange(chosen)
                }}
                onBlur={onBlur}
              />
            )}
          />
          <PushTextField
            form={form}
            name="translation.title"
            label="Title in this language"
            autoComplete="off"
            inputProps={inputProps}
          />
          <PushTextField
            form={form}
            name="translation.message"
            label="Message in this language"
            multiline
            minRows={3}
            maxRows={10}
            inputProps={inputProps}
          />
        </>
      )}
    </OptionalFields>
  )
}
