import { toolBody } from '@portal/contracts/catalog/program'
import { limits } from '@portal/contracts/shared/rules'
import { useEffect, useState } from 'react'
import { useController, useWatch } from 'react-hook-form'
import { TextField } from '../../../../ui/text-field.tsx'
import { ToolLogo } from '../../components/tools.tsx'
import type { KnownTools } from './known-tools.ts'
import { PictureUpload } from '../../../../ui/picture-upload.tsx'
import type { ToolForm } from './program-values.ts'
import { ToolNameField } from './tool-name-field.tsx'
import type { NewTool } from './use-parts.ts'

/** The text as it was when it last stayed unchanged for `delayMs`. */
const useDebouncedText = (text: string, delayMs: number): string => {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), delayMs)
    return () => clearTimeout(timer)
  }, [text, delayMs])
  return debounced
}

/** The logo waits for a pause in typing, so that no partial address is requested. */
const logoAfterMs = 400

const validLogoUrl = (address: string): string => toolBody.shape.logoUrl.safeParse(address).data ?? ''

/** The logo of the tool being typed; nothing while there is none. */
export const TypedLogo = ({ form }: { readonly form: ToolForm }) => {
  const [name, logoUrl] = useWatch({ control: form.control, name: ['name', 'logoUrl'] })
  const settled = useDebouncedText(logoUrl, logoAfterMs)
  const shownUrl = logoUrl === '' ? '' : validLogoUrl(settled)
  return name.trim() !== '' || shownUrl !== '' ? <ToolLogo size="small" tool={{ name, logoUrl: shownUrl }} /> : null
}

type ToolFieldsProps = { readonly form: ToolForm; readonly known: KnownTools; readonly autoFocus?: boolean }

/** The name with suggestions from all programs, and the logo, which a suggestion fills in. */
export const ToolFields = ({ form, known, autoFocus = false }: ToolFieldsProps) => {
  const { control, field, errorOf, clearErrors, setError, setValue } = form
  const { value, onChange, ref } = useController({ control, name: 'name' }).field
  const nameError = errorOf('name')
  const { error: urlError, ...urlField } = field('logoUrl', { clears: ['name'] })

  const type = (text: string) => {
    clearErrors(['name', 'logoUrl'])
    onChange(text)
  }
  const choose = (tool: NewTool) => {
    type(tool.name)
    setValue('logoUrl', tool.logoUrl, { shouldDirty: true })
  }

  return (
    <>
      <ToolNameField
        known={known}
        value={value}
        onType={type}
        onChoose={choose}
        autoFocus={autoFocus}
        error={nameError}
        ref={ref}
      />
      <TextField
        label="Logo URL"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        inputProps={{ maxLength: limits.urlChars }}
        {...urlField}
        endAdornment={
          <PictureUpload
            onUploaded={(url) => {
              clearErrors(['name', 'logoUrl'])
              setValue('logoUrl', url, { shouldDirty: true })
            }}
            onError={(message) => setError('logoUrl', { message })}
          />
        }
        // One message about both fields is shown once.
        error={urlError === nameError ? undefined : urlError}
      />
    </>
  )
}
