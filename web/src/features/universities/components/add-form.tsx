import { styled } from '@mui/material/styles'
import type { ClipboardEvent } from 'react'
import { useKeptText } from '../../../lib/use-kept-text.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { BesideField, TextField } from '../../../ui/text-field.tsx'
import { useNameForm } from '../use-name-form.ts'
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
  const { submit, field, button } = useNameForm({
    name,
    setName,
    save: onAdd,
    onSaved: (input) => {
      setName('')
      // The button is disabled and would lose the focus.
      input?.focus()
    },
  })
  const paste = (event: ClipboardEvent) => {
    if (onPaste(event.clipboardData.getData('text'))) event.preventDefault()
  }
  return (
    <Form onSubmit={submit}>
      <TextField {...field} autoComplete="off" hint="To add several, paste one name per line." onPaste={paste} />
      <BesideField>
        <BusyButton type="submit" {...button}>
          Add
        </BusyButton>
      </BesideField>
    </Form>
  )
}
