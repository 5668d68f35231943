import FormHelperText from '@mui/material/FormHelperText'
import IconButton from '@mui/material/IconButton'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled, type Theme } from '@mui/material/styles'
import { useId, useState, type ComponentProps, type ReactNode } from 'react'
import { EyeIcon, EyeOffIcon } from './icons.tsx'

const labelStyle = ({ theme }: { readonly theme: Theme }) => ({
  ...theme.typography.subtitle2,
  display: 'block',
  marginBottom: theme.spacing(1.5),
})

const Label = styled('label')(labelStyle)

/** Buttons in one line with the input of a field, however many lines are below the input. */
export const BesideField = styled('div')(({ theme }) => ({
  '&::before': { ...labelStyle({ theme }), content: '"\\00a0"' },
}))

export type TextFieldProps = Omit<ComponentProps<typeof OutlinedInput>, 'error' | 'label' | 'notched'> & {
  readonly label: string
  /** Shown below the field and announced by screen readers. */
  readonly error?: ReactNode
  readonly hint?: ReactNode
  /** The id of another element that describes the field. */
  readonly describedBy?: string
}

/** A field with its label above, where typed text never hides it. */
export const TextField = ({ label, error, hint, describedBy, id, ref, inputProps, ...rest }: TextFieldProps) => {
  const { inputMode, enterKeyHint, autoCapitalize, autoCorrect, spellCheck, ...ofFrame } = rest
  // MUI would put these on the frame of the input, where no browser looks for them.
  const hints = { inputMode, enterKeyHint, autoCapitalize, autoCorrect, spellCheck }
  const ownId = useId()
  const fieldId = id ?? ownId
  const noteId = `${fieldId}-note`
  const note = error ?? hint
  const descriptions = [note !== undefined && noteId, describedBy].filter(Boolean).join(' ')
  return (
    <div>
      <Label htmlFor={fieldId}>{label}</Label>
      <OutlinedInput
        id={fieldId}
        inputRef={ref}
        fullWidth
        error={error !== undefined}
        // What is typed has the direction of its own language.
        inputProps={{ dir: 'auto', ...hints, ...inputProps, 'aria-describedby': descriptions || undefined }}
        {...ofFrame}
      />
      {note !== undefined && (
        <FormHelperText id={noteId} error={error !== undefined} aria-live="polite">
          {note}
        </FormHelperText>
      )}
    </div>
  )
}

/** A password field with a button that shows or hides the password. */
export const PasswordField = (props: Omit<TextFieldProps, 'type' | 'endAdornment'>) => {
  const [shown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="none"
      endAdornment={
        <IconButton
          edge="end"
          aria-label={shown ? 'Hide password' : 'Show password'}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          // Keeps the focus and the caret in the field.
          onMouseDown={(event) => event.preventDefault()}
        >
          {shown ? <EyeOffIcon size={22} /> : <EyeIcon size={22} />}
        </IconButton>
      }
    />
  )
}
