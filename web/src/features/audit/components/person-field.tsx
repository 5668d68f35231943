import ButtonBase from '@mui/material/ButtonBase'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import type { UserId } from '@portal/contracts/shared/ids'
import { useEffect, useId, useRef } from 'react'
import { CloseIcon } from '../../../ui/icons.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { usePersonName, usePersonSearch } from '../use-person-search.ts'

const Label = styled('span')(({ theme }) => ({
  ...theme.typography.subtitle2,
  display: 'block',
  marginBottom: theme.spacing(1.5),
}))

const Chosen = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  minHeight: theme.portal.sizes.target,
  paddingLeft: theme.spacing(3.5),
  border: `1px solid ${theme.vars.palette.text.primary}`,
  borderRadius: theme.portal.radii.control,
  overflowWrap: 'anywhere',
}))

const Found = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: theme.spacing(1, 0, 0),
  padding: 0,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.portal.radii.control,
}))

const Choice = styled(ButtonBase)(({ theme }) => ({
  ...theme.typography.body2,
  display: 'grid',
  justifyContent: 'start',
  justifyItems: 'start',
  width: '100%',
  minHeight: theme.portal.sizes.target,
  padding: theme.spacing(2, 3.5),
  textAlign: 'left',
  overflowWrap: 'anywhere',
  '&:hover': { background: theme.vars.palette.action.hover },
  '& span': { ...theme.typography.caption, color: theme.vars.palette.text.secondary },
}))

const Note = styled('p')(({ theme }) => ({
  ...theme.typography.body2,
  margin: theme.spacing(1.5, 0, 0),
  color: theme.vars.palette.text.secondary,
}))

type ChosenPersonProps = { readonly userId: UserId; readonly onClear: () => void }

const ChosenPerson = ({ userId, onClear }: ChosenPersonProps) => {
  const name = usePersonName(userId)
  return (
    <div>
      <Label>Person</Label>
      <Chosen>
        <span>{name ?? '…'}</span>
        <IconButton aria-label="Show everyone" onClick={onClear} data-clear-person>
          <CloseIcon size={20} />
        </IconButton>
      </Chosen>
    </div>
  )
}

const PersonSearch = ({ onChoose }: { readonly onChoose: (userId: UserId) => void }) => {
  const { text, type, people, isSearching, failure } = usePersonSearch()
  const id = useId()
  const isEmpty = people?.length === 0 && !isSearching
  return (
    <div>
      <TextField
        label="Person"
        type="search"
        autoComplete="off"
        placeholder="Name or email address"
        value={text}
        onChange={({ target }) => type(target.value)}
        inputProps={{ 'aria-controls': id }}
      />
      <div id={id} aria-live="polite">
        {failure && <Note>{failure.message}</Note>}
        {isEmpty && <Note>No one matches</Note>}
        {people && people.length > 0 && (
          <Found aria-label="People found">
            {people.map(({ _id: userId, fullName, personalEmail }) => (
              <li key={userId}>
                <Choice onClick={() => onChoose(userId)}>
                  {fullName}
                  <span>{personalEmail}</span>
                </Choice>
              </li>
            ))}
          </Found>
        )}
      </div>
    </div>
  )
}

type PersonFieldProps = {
  readonly value: UserId | undefined
  readonly onChange: (userId: UserId | undefined) => void
}

/** The person who did it, or to whom it was done. */
export const PersonField = ({ value, onChange }: PersonFieldProps) => {
  const root = useRef<HTMLDivElement>(null)
  const changed = useRef(false)
  // The pressed button disappears, so the focus moves to what replaces it.
  useEffect(() => {
    if (!changed.current) return
    changed.current = false
    root.current?.querySelector<HTMLElement>(value === undefined ? 'input' : '[data-clear-person]')?.focus()
  }, [value])
  const change = (userId: UserId | undefined) => {
    changed.current = true
    onChange(userId)
  }
  return (
    <div ref={root}>
      {value === undefined ? (
        <PersonSearch onChoose={change} />
      ) : (
        <ChosenPerson userId={value} onClear={() => change(undefined)} />
      )}
    </div>
  )
}
