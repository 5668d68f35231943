import Popover from '@mui/material/Popover'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { useEffect, useEffectEvent, useId, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { useCloseOnBack } from '../lib/history-guard.ts'
import { groupedByThree } from '../lib/number-format.ts'
import { normalizeText } from '@portal/contracts/shared/search-text'
import { matchesAllWords } from '../lib/search-text.ts'
import { CheckBox } from './check-box.tsx'
import { ChevronDownIcon } from './icons.tsx'
import { SearchField } from './search-field.tsx'
import { ToggleButton } from './toggle-button.tsx'
import { useRowFocus } from './use-row-focus.ts'

/** One entry of a kind of conditions, such as a program. */
export type Choice<Value extends string | number> = {
  readonly value: Value
  readonly label: string
  /** How many it selects, if that is shown. */
  readonly count?: number
}

/** Shorter lists need no search. */
const searchedFrom = 9
/** More entries would slow down typing. The search narrows them. */
const maxShown = 100

const Panel = styled('div')(({ theme }) => ({
  width: `min(${theme.spacing(88)}, calc(100vw - ${theme.spacing(8)}))`,
  padding: theme.spacing(3),
  display: 'grid',
  gap: theme.spacing(2),
}))

const List = styled('ul')({ listStyle: 'none', margin: 0, padding: 0, maxHeight: '20rem', overflowY: 'auto' })

const Row = styled('label')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr) auto',
  alignItems: 'center',
  gap: theme.spacing(3),
  minHeight: theme.portal.sizes.target,
  padding: theme.spacing(1.5, 2),
  borderRadius: theme.portal.radii.control,
  cursor: 'pointer',
  ...theme.typography.body2,
  overflowWrap: 'anywhere',
  fontVariantNumeric: 'tabular-nums',
  '&:hover': { backgroundColor: theme.vars.palette.background.default },
  '&:has(:checked)': { backgroundColor: theme.vars.palette.portal.accentSoft },
  '&:has(:focus-visible)': { outline: `2px solid ${theme.vars.palette.text.primary}`, outlineOffset: -2 },
  // The focus ring is drawn around the whole row instead, where the browser can.
  '@supports selector(:has(a))': { '& input:focus-visible': { outline: 'none' } },
  '& .count': { color: theme.vars.palette.text.secondary },
}))

type ChoiceMenuProps<Value extends string | number> = {
  readonly label: string
  /** Undefined until they are loaded. */
  readonly choices: readonly Choice<Value>[] | undefined
  readonly chosen: readonly Value[]
  readonly onToggle: (value: Value) => void
}

/** The page behind the list can be used as if the list were closed. */
const passThrough = {
  hideBackdrop: true,
  disableScrollLock: true,
  // A focus that returns during a press outside would scroll the pressed element away.
  disableRestoreFocus: true,
  sx: { pointerEvents: 'none' },
} as const

/** A press or a turn of the wheel outside closes the list, and still does what it would do without the list. */
const useCloseOutside = (isOpen: boolean, inside: readonly RefObject<HTMLElement | null>[], close: () => void) => {
  const closeIfOutside = useEffectEvent(({ target }: Event) => {
    if (target instanceof Node && !inside.some(({ current }) => current?.contains(target))) close()
  })
  useEffect(() => {
    if (!isOpen) return undefined
    const controller = new AbortController()
    const options = { capture: true, passive: true, signal: controller.signal }
    for (const event of ['pointerdown', 'wheel']) document.addEventListener(event, closeIfOutside, options)
    return () => controller.abort()
  }, [isOpen])
}

/** A button that opens a searchable list of check boxes. Escape closes it and returns the focus. */
export const ChoiceMenu = <Value extends string | number>({
  label,
  choices,
  chosen,
  onToggle,
}: ChoiceMenuProps<Value>) => {
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const panelId = useId()
  const close = () => setOpen(false)
  const closeAndReturn = () => {
    // Until it is closed, the list keeps the focus.
    flushSync(close)
    button.current?.focus()
  }
  useCloseOutside(open, [button, panel], close)
  useCloseOnBack(open, closeAndReturn)
  return (
    <>
      <ToggleButton
        ref={button}
        on={chosen.length > 0}
        data-kind={label}
        aria-haspopup="dialog"
        aria-expanded={open}
        disabled={choices === undefined}
        onClick={() => setOpen(!open)}
      >
        <span>{chosen.length === 0 ? label : `${label}: ${groupedByThree(chosen.length)}`}</span>
        <ChevronDownIcon size={16} />
      </ToggleButton>
      <Popover
        open={open}
        anchorEl={() => button.current}
        onClose={closeAndReturn}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{
          paper: { ref: panel, role: 'dialog', 'aria-label': label, id: panelId, sx: { pointerEvents: 'auto' } },
        }}
        {...passThrough}
      >
        <ChoiceList label={label} choices={choices ?? []} chosen={chosen} onToggle={onToggle} />
      </Popover>
    </>
  )
}

type ChoiceListProps<Value extends string | number> = ChoiceMenuProps<Value> & {
  readonly choices: readonly Choice<Value>[]
}

const ChoiceList = <Value extends string | number>({ label, choices, chosen, onToggle }: ChoiceListProps<Value>) => {
  const [query, setQuery] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const texts = useMemo(() => choices.map((choice) => ({ choice, text: normalizeText(choice.label) })), [choices])
  const found = texts.filter(({ text }) => matchesAllWords(text, query)).map(({ choice }) => choice)
  const shown = found.slice(0, maxShown)
  const { tabIndexOf, onFocusRow, focusRow, onKeyDown } = useRowFocus(list, shown.length)
  const isSearched = choices.length >= searchedFrom

  return (
    <Panel>
      {isSearched && (
        <div
          onKeyDown={({ key }) => {
            if (key === 'ArrowDown') focusRow(0)
          }}
        >
          <SearchField label={`Search ${label.toLowerCase()}`} value={query} onChange={setQuery} autoFocus />
        </div>
      )}
      <List ref={list} onKeyDown={onKeyDown} aria-label={label}>
        {shown.map(({ value, label: name, count }, row) => (
          <li key={value}>
            <Row>
              <CheckBox
                type="checkbox"
                autoFocus={!isSearched && row === 0}
                data-row={row}
                tabIndex={tabIndexOf(row)}
                onFocus={() => onFocusRow(row)}
                checked={chosen.includes(value)}
                onChange={() => onToggle(value)}
              />
              <span>{name}</span> {count !== undefined && <span className="count">{groupedByThree(count)}</span>}
            </Row>
          </li>
        ))}
      </List>
      <Note>
        {found.length === 0 && <span>{choices.length === 0 ? 'There are none yet.' : 'No match'}</span>}
        {found.length > maxShown && (
          <span>{`${groupedByThree(maxShown)} of ${groupedByThree(found.length)} shown. Search to find more.`}</span>
        )}
      </Note>
    </Panel>
  )
}

const Note = ({ children }: { readonly children: ReactNode }) => (
  <Typography variant="caption" color="textSecondary" role="status" sx={{ px: 2, '&:empty': { display: 'none' } }}>
    {children}
  </Typography>
)
