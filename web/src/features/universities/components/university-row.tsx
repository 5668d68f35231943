import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import type { University } from '@portal/contracts/catalog/http'
import { limits } from '@portal/contracts/shared/rules'
import { useState, type FormEvent } from 'react'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'

const Form = styled('form')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'end',
  gap: theme.spacing(2),
  paddingBlock: theme.spacing(1),
  '& > div:first-of-type': { flex: '1 1 240px' },
}))

type UniversityRowProps = {
  readonly university: University
  readonly onRename: (university: University, name: string) => Promise<boolean>
  readonly onDelete: (university: University) => void
}

const EditForm = ({ university, onRename, onDone }: Omit<UniversityRowProps, 'onDelete'> & { onDone: () => void }) => {
  const [name, setName] = useState(university.name)
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || name.trim() === '') return
    setBusy(true)
    const saved = await onRename(university, name.trim())
    setBusy(false)
    if (saved) onDone()
  }
  return (
    <Form onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && onDone()}>
      <TextField
        label="University name"
        autoFocus
        value={name}
        inputProps={{ maxLength: limits.nameChars }}
        onChange={(event) => setName(event.target.value)}
      />
      <BusyButton type="submit" busy={busy} disabled={name.trim() === ''}>
        Save
      </BusyButton>
      <Button variant="text" color="secondary" onClick={onDone}>
        Cancel
      </Button>
    </Form>
  )
}

/** A name with what can be done to it, or the name being edited. */
export const UniversityRow = ({ university, onRename, onDelete }: UniversityRowProps) => {
  const [editing, setEditing] = useState(false)
  if (editing) {
    return (
      <tr role="row">
        <td role="cell" colSpan={2}>
          <EditForm university={university} onRename={onRename} onDone={() => setEditing(false)} />
        </td>
      </tr>
    )
  }
  return (
    <tr role="row">
      <td role="cell">{university.name}</td>
      <td role="cell" className="actions">
        <Button variant="text" color="secondary" onClick={() => setEditing(true)}>
          Edit<VisuallyHidden> {university.name}</VisuallyHidden>
        </Button>
        <Button variant="text" color="error" onClick={() => onDelete(university)}>
          Delete<VisuallyHidden> {university.name}</VisuallyHidden>
        </Button>
      </td>
    </tr>
  )
}
