import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { SearchIcon } from './icons.tsx'

const Field = styled(OutlinedInput)(({ theme }) => ({
  paddingLeft: theme.spacing(3),
  '& .MuiInputAdornment-root': { color: theme.vars.palette.text.secondary },
  '& .MuiOutlinedInput-input': { paddingLeft: 0 },
  '& .MuiOutlinedInput-input::placeholder': { color: theme.vars.palette.text.secondary, opacity: 1 },
}))

type SearchFieldProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (query: string) => void
  /** For a field in a panel that has just been opened. */
  readonly autoFocus?: boolean
}

/** Filters the list below while the user types. The label is the placeholder. */
export const SearchField = ({ label, value, onChange, autoFocus = false }: SearchFieldProps) => (
  <Field
    type="search"
    fullWidth
    autoFocus={autoFocus}
    placeholder={label}
    inputProps={{ 'aria-label': label }}
    value={value}
    onChange={({ target }) => onChange(target.value)}
    startAdornment={
      <InputAdornment position="start">
        <SearchIcon size={20} />
      </InputAdornment>
    }
  />
)
