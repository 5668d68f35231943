import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { useEffect, useRef, type RefObject } from 'react'
import { CloseIcon, SearchIcon } from './icons.tsx'
import { isTypingIn } from './is-typing.ts'
import { shortcutKeyOf } from './shortcut-key.ts'

const Field = styled(OutlinedInput)(({ theme }) => ({
  paddingLeft: theme.spacing(3),
  paddingRight: theme.spacing(0.5),
  '& .MuiInputAdornment-root': { color: theme.vars.palette.text.secondary },
  '& .MuiOutlinedInput-input': { paddingLeft: 0 },
  // The field has a clear button of its own, in every browser.
  '& ::-webkit-search-cancel-button': { display: 'none' },
  '& .MuiOutlinedInput-input::placeholder': { color: theme.vars.palette.text.secondary, opacity: 1 },
}))

/** The hint for the key is shown where a keyboard is likely: on wide screens. The focused field hides it. */
const KeyHint = styled('kbd')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'none',
  marginRight: theme.spacing(2.5),
  padding: theme.spacing(0, 2),
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.portal.radii.control,
  [theme.breakpoints.up('md')]: { display: 'block', '.Mui-focused &': { display: 'none' } },
}))

/** A dialog hides the rest of the page. */
const hidden = '[aria-hidden="true"], [inert]'

/** Focuses a field on `/`, the first one of the page if there are several. */
const useSlashKey = (field: RefObject<HTMLInputElement | null>): void =>
  useEffect(() => {
    const focusOnSlash = (event: KeyboardEvent) => {
      if (shortcutKeyOf(event) !== '/' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey)
        return
      if (isTypingIn(event.target)) return
      if (!field.current || field.current.closest(hidden)) return
      event.preventDefault()
      field.current.focus()
      field.current.select()
    }
    document.addEventListener('keydown', focusOnSlash)
    return () => document.removeEventListener('keydown', focusOnSlash)
  }, [field])

type SearchFieldProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (query: string) => void
  /** Focuses a field in a panel that has just been opened. */
  readonly autoFocus?: boolean
}

/** Filters the list below while the user types. The label is the placeholder. `/` focuses the field. */
export const SearchField = ({ label, value, onChange, autoFocus = false }: SearchFieldProps) => {
  const field = useRef<HTMLInputElement>(null)
  useSlashKey(field)
  const clear = () => {
    onChange('')
    field.current?.focus()
  }
  return (
    <Field
      type="search"
      fullWidth
      autoFocus={autoFocus}
      placeholder={label}
      inputRef={field}
      inputProps={{ 'aria-label': label, 'aria-keyshortcuts': '/' }}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      startAdornment={
        <InputAdornment position="start">
          <SearchIcon size={20} />
        </InputAdornment>
      }
      endAdornment={
        <InputAdornment position="end">
          {value === '' ? (
            <KeyHint aria-hidden="true">/</KeyHint>
          ) : (
            <IconButton aria-label="Clear search" onClick={clear}>
              <CloseIcon size={20} />
            </IconButton>
          )}
        </InputAdornment>
      }
    />
  )
}
