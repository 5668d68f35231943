import { styled } from '@mui/material/styles'
import { limits } from '@portal/contracts/shared/rules'
import { useRef, useState, type ClipboardEvent, type FormEvent } from 'react'
import { useKeptText } from '../../../lib/use-kept-text.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { BesideField, TextField } from '../../../ui/text-field.tsx'
import type { SavedName } from '../use-universities.ts'

const Form = styled('form')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'start',
  gap: theme.spacing(1, 3),
  maxWidth: 560,
  marginBottom: theme.spacing(8),
  '& .MuiButton-root': { minHeight: 48 },
}))

type AddFormProps = {
  readonly onAdd: (name: string) => Promise<SavedName>
  /** Returns whether it takes the pasted text, which then does not get into the field. */
  readonly onPaste: (text: string) => boolean
}

export const AddForm = ({ onAdd, onPaste }: AddFormProps) => {
  const [name, setName] = useKeptText('university:new')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || name.trim() === '') return
    setBusy(true)
    const { university, nameError } = await onAdd(name.trim())
    setError(nameError)
    if (university) setName('')
    // The button is disabled after a success and would lose the focus. An error is read with the field.
    if (university || nameError !== undefined) field.current?.focus()
    setBusy(false)
  }
  const paste = (event: ClipboardEvent) => {
    if (onPaste(event.clipboardData.getData('text'))) event.preventDefault()
  }
  return (
    <Form onSubmit={submit}>
      <TextField
        ref={field}
        label="University name"
        value={name}
        autoComplete="off"
        inputProps={{ maxLength: limits.nameChars }}
        error={error}
        hint="To add several, paste one name per line."
        onChange={(event) => {
          setName(event.target.value)
          setError(undefined)
        }}
        onPaste={paste}
      />
      <BesideField>
        <BusyButton type="submit" busy={busy} disabled={name.trim() === ''}>
          Add
        </BusyButton>
      </BesideField>
    </Form>
  )
}
