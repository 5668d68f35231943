import FormHelperText from '@mui/material/FormHelperText'
import { styled } from '@mui/material/styles'
import { limits } from '@portal/contracts/shared/rules'
import { useRef, useState, type ClipboardEvent, type FormEvent } from 'react'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { TextField } from '../../../ui/text-field.tsx'

const Form = styled('form')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'end',
  gap: theme.spacing(1, 3),
  maxWidth: 560,
  marginBottom: theme.spacing(8),
  '& .MuiButton-root': { minHeight: 48 },
  '& > p': { gridColumn: '1 / -1', margin: 0 },
}))

type AddFormProps = {
  readonly onAdd: (name: string) => Promise<boolean>
  /** Returns whether it takes the pasted text, which then does not get into the field. */
  readonly onPaste: (text: string) => boolean
}

export const AddForm = ({ onAdd, onPaste }: AddFormProps) => {
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || name.trim() === '') return
    setBusy(true)
    if (await onAdd(name.trim())) {
      setName('')
      // The button is disabled now and would lose the focus.
      field.current?.focus()
    }
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
        onChange={(event) => setName(event.target.value)}
        onPaste={paste}
      />
      <BusyButton type="submit" busy={busy} disabled={name.trim() === ''}>
        Add
      </BusyButton>
      <FormHelperText>To add several, paste one name per line.</FormHelperText>
    </Form>
  )
}
