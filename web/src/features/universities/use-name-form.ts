import { limits } from '@portal/contracts/shared/rules'
import { useRef, useState, type FormEvent } from 'react'
import type { SavedName } from './use-universities.ts'

type NameForm = {
  readonly name: string
  readonly setName: (name: string) => void
  readonly save: (name: string) => Promise<SavedName>
  readonly onSaved: (field: HTMLInputElement | null) => void
}

/** The form with the name of a university. The message of a refused name is read with the field, which gets the focus. */
export const useNameForm = ({ name, setName, save, onSaved }: NameForm) => {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const ref = useRef<HTMLInputElement>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || name.trim() === '') return
    setBusy(true)
    const { university, nameError } = await save(name.trim())
    setBusy(false)
    setError(nameError)
    if (nameError !== undefined) ref.current?.focus()
    if (university) onSaved(ref.current)
  }
  const change = (event: { readonly target: { readonly value: string } }) => {
    setName(event.target.value)
    setError(undefined)
  }
  return {
    submit,
    field: {
      ref,
      label: 'University name',
      value: name,
      error,
      inputProps: { maxLength: limits.nameChars },
      onChange: change,
    },
    button: { busy, disabled: name.trim() === '' },
  }
}
