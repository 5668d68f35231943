import { styled } from '@mui/material/styles'
import { useEffect, useId, useRef, type ReactNode, type Ref } from 'react'
import { useCloseOnBack } from '../../lib/history-guard.ts'
import { ChevronDownIcon } from '../icons.tsx'
import { TextField } from '../text-field.tsx'
import { VisuallyHidden } from '../visually-hidden.tsx'
import { useCombobox } from './use-combobox.ts'

const Popup = styled('div')(({ theme }) => ({
  position: 'absolute',
  zIndex: theme.zIndex.modal,
  top: 'calc(100% + 4px)',
  left: 0,
  right: 0,
  maxHeight: 320,
  overflowY: 'auto',
  overscrollBehavior: 'contain',
  background: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.portal.radii.control,
  boxShadow: theme.vars.palette.portal.shadow,
  '& ul': { listStyle: 'none', margin: 0, padding: 0 },
  '& li, & a': {
    display: 'flex',
    alignItems: 'center',
    minHeight: theme.portal.sizes.target,
    padding: theme.spacing(2, 3.5),
    overflowWrap: 'anywhere',
    cursor: 'pointer',
  },
  '& li:hover': { backgroundColor: theme.vars.palette.action.hover },
  '& li[data-active]': { backgroundColor: theme.vars.palette.portal.accentSoft },
  '& li[aria-selected="true"]': { fontWeight: 600 },
  '& p': {
    ...theme.typography.body2,
    margin: 0,
    padding: theme.spacing(2.5, 3.5),
    color: theme.vars.palette.text.secondary,
  },
  '& > :not(ul):not(:first-child)': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  // In view however long the list is.
  '& > a': { position: 'sticky', bottom: 0, background: 'inherit' },
}))

const Chevron = styled(ChevronDownIcon)({ flex: 'none', marginRight: 12, pointerEvents: 'none' })

type ComboboxFieldProps = {
  readonly label: string
  readonly name?: string
  /** One of the options, or an empty text. */
  readonly value: string
  readonly options: readonly string[]
  readonly onChange: (value: string) => void
  readonly placeholder?: string
  readonly disabled?: boolean
  readonly required?: boolean
  readonly error?: string | undefined
  readonly hint?: ReactNode
  /** Singular and plural of the options. */
  readonly noun: readonly [string, string]
  /** The last row of the list: a link for users who do not find their option. */
  readonly footer?: ReactNode
  readonly ref?: Ref<HTMLInputElement>
}

/** A choice from a long list that the typed text filters, after the W3C's combobox pattern. */
export const ComboboxField = ({ value, options, onChange, noun, footer, ...field }: ComboboxFieldProps) => {
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const box = useCombobox({ value, options, onChange })
  const { isOpen, shown, found, active } = box
  useCloseOnBack(isOpen, box.close)
  const optionId = (index: number) => `${id}-${index}`

  useEffect(() => {
    if (isOpen && active >= 0) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, isOpen, active])

  return (
    <div
      ref={root}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) box.leave()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        event.stopPropagation()
        box.close()
        root.current?.querySelector('input')?.focus()
      }}
    >
      <TextField
        {...field}
        autoComplete="off"
        spellCheck={false}
        value={box.text}
        onChange={({ target }) => box.type(target.value)}
        onClick={() => {
          if (isOpen || field.disabled) return
          box.open()
          // Typed text replaces the value.
          root.current?.querySelector('input')?.select()
        }}
        onKeyDown={box.onKeyDown}
        inputProps={{
          role: 'combobox',
          'aria-autocomplete': 'list',
          'aria-expanded': isOpen,
          'aria-controls': isOpen ? `${id}-list` : undefined,
          'aria-activedescendant': isOpen && active >= 0 ? optionId(active) : undefined,
        }}
        sx={{ paddingRight: 0, '& input::placeholder': { color: 'text.secondary', opacity: 1 } }}
        endAdornment={
          <>
            <Chevron size={20} />
            {isOpen && (
              // A press on a row keeps the focus in the field.
              <Popup onMouseDown={(event) => event.preventDefault()} onClick={(event) => event.stopPropagation()}>
                <ul id={`${id}-list`} role="listbox" aria-label={field.label}>
                  {shown.map((option, index) => (
                    <li
                      key={option}
                      id={optionId(index)}
                      role="option"
                      aria-selected={option === value}
                      data-active={index === active || undefined}
                      onClick={() => box.choose(option)}
                    >
                      {option}
                    </li>
                  ))}
                </ul>
                {found === 0 && <p>{`No ${noun[0]} matches “${box.text.trim()}”.`}</p>}
                {found > shown.length && <p>{`The first ${shown.length} of ${found}. Type to find others.`}</p>}
                {footer}
              </Popup>
            )}
          </>
        }
      />
      <VisuallyHidden role="status">{isOpen ? `${found} ${found === 1 ? noun[0] : noun[1]}` : ''}</VisuallyHidden>
    </div>
  )
}
