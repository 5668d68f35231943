import { styled } from '@mui/material/styles'
import type { ChangeEvent, ClipboardEvent } from 'react'
import { TextField, type TextFieldProps } from './text-field.tsx'

const SpacedDigits = styled(TextField)(({ theme }) => ({
  '& input': {
    fontVariantNumeric: 'tabular-nums',
    letterSpacing: '0.5em',
    fontSize: theme.portal.pieces.name,
    fontWeight: 600,
  },
}))

export type CodeFieldProps = Omit<TextFieldProps, 'onChange' | 'value' | 'type' | 'inputMode'> & {
  readonly value: string
  readonly onChange: (digits: string) => void
  readonly digits?: number
}

/**
 * A one-time code in one field: a phone fills it in, a paste of '123 456' or of a whole sentence keeps its digits, and a screen
 * reader hears one field instead of six.
 */
export const CodeField = ({ value, onChange, digits = 6, ...rest }: CodeFieldProps) => {
  const keepDigits = (text: string) => onChange(text.replace(/\D/g, '').slice(0, digits))
  return (
    <SpacedDigits
      autoComplete="one-time-code"
      {...rest}
      inputMode="numeric"
      value={value}
      onChange={(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => keepDigits(event.target.value)}
      onPaste={(event: ClipboardEvent) => {
        event.preventDefault()
        keepDigits(event.clipboardData.getData('text'))
      }}
    />
  )
}
