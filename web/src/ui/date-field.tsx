import { useState } from 'react'
import { TextField } from './text-field.tsx'

type DateFieldProps = {
  readonly label: string
  /** YYYY-MM-DD, or empty. */
  readonly value: string
  readonly min?: string | undefined
  readonly max?: string | undefined
  readonly onChange: (date: string) => void
}

/** While the first digits of a year are typed, the field has a date in the first century. */
const isTyped = (date: string): boolean => /^[1-9]\d{3}-/.test(date)

/** A date as it is typed. Reports whole dates and an emptied field, and nothing in between. */
export const DateField = ({ label, value, min, max, onChange }: DateFieldProps) => {
  const [shown, setShown] = useState(value)
  const [followed, setFollowed] = useState(value)
  // Changed elsewhere, for example cleared with the other conditions.
  if (followed !== value) {
    setFollowed(value)
    setShown(value)
  }
  const type = (date: string, isUnfinished: boolean) => {
    setShown(date)
    if (isTyped(date) || (date === '' && !isUnfinished)) onChange(date)
  }
  return (
    <TextField
      label={label}
      type="date"
      value={shown}
      inputProps={{ min, max }}
      onBlur={() => setShown(value)}
      onChange={({ target }) => type(target.value, target.validity.badInput)}
    />
  )
}
