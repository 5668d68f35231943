import { styled } from '@mui/material/styles'
import { limits } from '@portal/contracts/shared/rules'
import { useState, type FormEvent } from 'react'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { TextField } from '../../../ui/text-field.tsx'

const Form = styled('form')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'end',
  gap: theme.spacing(3),
  maxWidth: 560,
  marginBottom: theme.spacing(8),
  '& .MuiButton-root': { minHeight: 48 },
}))

export const AddForm = ({ onAdd }: { onAdd: (name: string) => Promise<boolean> }) => {
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || name.trim() === '') return
    setBusy(true)
    if (await onAdd(name.trim())) setName('')
    setBusy(false)
  }
  return (
    <Form onSubmit={submit}>
      <TextField
        label="University name"
        value={name}
        autoComplete="off"
        inputProps={{ maxLength: limits.nameChars }}
        onChange={(event) => setName(event.target.value)}
      />
      <BusyButton type="submit" busy={busy} disabled={name.trim() === ''}>
        Add
      </BusyButton>
    </Form>
  )
}
