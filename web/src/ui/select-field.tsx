import FormHelperText from '@mui/material/FormHelperText'
import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import Select from '@mui/material/Select'
import { styled } from '@mui/material/styles'
import { useId, useState, type ReactNode, type Ref } from 'react'
import { useCloseOnBack } from '../lib/history-guard.ts'
import { ChevronDownIcon } from './icons.tsx'

const Label = styled('label')(({ theme }) => ({
  ...theme.typography.subtitle2,
  display: 'block',
  marginBottom: theme.spacing(1.5),
}))

const Choice = styled(MenuItem)(({ theme }) => ({
  '&&': { minHeight: theme.portal.sizes.target, paddingInline: 14, whiteSpace: 'normal' },
}))

const Placeholder = styled('span')(({ theme }) => ({ color: theme.vars.palette.text.secondary }))

type SelectFieldProps<Value extends string> = {
  readonly label: string
  readonly name?: string
  readonly value: Value | ''
  readonly options: readonly Value[]
  /** The text of an option. Default: the option itself. */
  readonly labelOf?: (value: Value) => string
  /** The language of that text, if it is not the portal's. */
  readonly langOf?: (value: Value) => string
  readonly onChange: (value: Value) => void
  readonly onBlur?: () => void
  readonly placeholder?: string
  readonly disabled?: boolean
  readonly required?: boolean
  readonly autoFocus?: boolean
  /** Shown below the field and announced by screen readers. */
  readonly error?: string | undefined
  readonly hint?: ReactNode
  /** The element that takes the focus. */
  readonly ref?: Ref<{ focus: () => void }>
}

/** A select with a label like that of ./text-field.tsx. */
export const SelectField = <Value extends string>(props: SelectFieldProps<Value>) => {
  const { label, name, value, options, labelOf, langOf, onChange, onBlur, placeholder, disabled, required } = props
  const { autoFocus, error, hint, ref } = props
  const textOf = (option: Value): string => labelOf?.(option) ?? option
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  useCloseOnBack(isOpen, () => setOpen(false))
  const note = error ?? hint
  return (
    <div>
      <Label id={`${id}-label`} htmlFor={id}>
        {label}
      </Label>
      <Select<Value | ''>
        id={id}
        labelId={`${id}-label`}
        name={name ?? ''}
        open={isOpen}
        onOpen={() => setOpen(true)}
        onClose={() => setOpen(false)}
        value={value}
        onChange={({ target }) => {
          const chosen = options.find((option) => option === target.value)
          if (chosen !== undefined) onChange(chosen)
        }}
        {...(onBlur && { onBlur })}
        disabled={disabled ?? false}
        autoFocus={autoFocus ?? false}
        displayEmpty
        fullWidth
        input={<OutlinedInput error={error !== undefined} />}
        inputRef={ref}
        renderValue={(chosen) =>
          chosen === '' ? (
            <Placeholder>{placeholder}</Placeholder>
          ) : (
            <span lang={langOf?.(chosen)}>{textOf(chosen)}</span>
          )
        }
        IconComponent={DownIcon}
        SelectDisplayProps={{
          'aria-invalid': error !== undefined,
          ...(required && { 'aria-required': true }),
          ...(note !== undefined && { 'aria-describedby': `${id}-note` }),
        }}
        MenuProps={{
          slotProps: {
            // The menu is rendered at the end of the document, outside all landmarks, so it needs its own.
            root: { role: 'region', 'aria-label': label },
            paper: { style: { maxHeight: 320, marginTop: 4 } },
          },
        }}
      >
        {options.map((option) => (
          <Choice key={option} value={option} lang={langOf?.(option)}>
            {textOf(option)}
          </Choice>
        ))}
      </Select>
      {note !== undefined && (
        <FormHelperText id={`${id}-note`} error={error !== undefined} aria-live="polite" component="div">
          {note}
        </FormHelperText>
      )}
    </div>
  )
}

const DownIcon = ({ className }: { className?: string }) => (
  <ChevronDownIcon
    size={20}
    {...(className !== undefined && { className })}
    style={{ top: 'calc(50% - 10px)', right: 12 }}
  />
)
