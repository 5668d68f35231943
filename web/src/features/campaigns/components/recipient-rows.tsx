import { styled } from '@mui/material/styles'
import { memo, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { UserId } from '@portal/contracts/shared/ids'
import { CheckBox } from '../../../ui/check-box.tsx'
import { roleName } from '../../../ui/role-name.ts'
import { chooseRange, emailNotVerified, toggle, type Chosen, type Recipient } from '../recipients.ts'
import { rowWindow, scrollTopFor } from '../row-window.ts'

/** rem, so that the rows grow with the font size of the browser. */
const rowRem = 3
const listRem = 15

const Scroller = styled('div')(({ theme }) => ({
  maxHeight: `${listRem}rem`,
  overflowY: 'auto',
  overscrollBehavior: 'contain',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  backgroundColor: theme.vars.palette.background.paper,
}))

const Rows = styled('ul')({ position: 'relative', listStyle: 'none', margin: 0, padding: 0 })

const Row = styled('li')(({ theme }) => ({
  position: 'absolute',
  insetInline: 0,
  height: `${rowRem}rem`,
  contain: 'strict',
  '& label': {
    height: '100%',
    display: 'grid',
    gridTemplateColumns: 'auto minmax(0, 1fr) auto',
    alignItems: 'center',
    gap: theme.spacing(3),
    paddingInline: theme.spacing(3),
    cursor: 'pointer',
    userSelect: 'none',
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
    '&:hover': { backgroundColor: theme.vars.palette.background.default },
    '&:has(:checked)': { backgroundColor: theme.vars.palette.portal.accentSoft },
    '&:has(:focus-visible)': { outline: `2px solid ${theme.vars.palette.text.primary}`, outlineOffset: -2 },
  },
  // The focus ring is drawn around the whole row instead.
  '& input:focus-visible': { outline: 'none' },
  '& span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& .name': { ...theme.typography.subtitle2, display: 'block' },
  '& .marks': { textAlign: 'right' },
  '& .unverified': {
    ...theme.typography.caption,
    display: 'block',
    fontWeight: 600,
    color: theme.vars.palette.portal.tones.yellow.text,
  },
  '& .email, & .role': { ...theme.typography.caption, display: 'block', color: theme.vars.palette.text.secondary },
}))

type RowProps = {
  readonly recipient: Recipient
  readonly index: number
  readonly count: number
  readonly checked: boolean
  readonly active: boolean
  readonly onToggle: (index: number, id: UserId, withRange: boolean) => void
}

const RecipientRow = memo(({ recipient, index, count, checked, active, onToggle }: RowProps) => (
  <Row style={{ top: `${index * rowRem}rem` }} aria-setsize={count} aria-posinset={index + 1}>
    <label>
      <CheckBox
        type="checkbox"
        data-row={index}
        checked={checked}
        tabIndex={active ? 0 : -1}
        onChange={({ nativeEvent }) =>
          onToggle(index, recipient.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
      <span>
        <span className="name">{recipient.fullName}</span> <span className="email">{recipient.email}</span>
      </span>{' '}
      <span className="marks">
        <span className="role">{roleName(recipient.role)}</span>{' '}
        {!recipient.isEmailVerified && <span className="unverified">{emailNotVerified}</span>}
      </span>
    </label>
  </Row>
))

const rootFontPx = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16

/** Rows that Page Up and Page Down move by. */
const pageRows = listRem / rowRem

const moves: Readonly<Record<string, (row: number, last: number) => number>> = {
  ArrowDown: (row, last) => Math.min(row + 1, last),
  ArrowUp: (row) => Math.max(row - 1, 0),
  PageDown: (row, last) => Math.min(row + pageRows, last),
  PageUp: (row) => Math.max(row - pageRows, 0),
  Home: () => 0,
  End: (_row, last) => last,
}

type RecipientRowsProps = {
  readonly shown: readonly Recipient[]
  readonly chosen: Chosen
  readonly onChange: (chosen: Chosen) => void
}

/**
 * A virtualized list of checkboxes for up to 10,000 users. Tab stops once at the list. The arrow keys move within it, Space
 * selects a row, Shift with a click a range, Ctrl+A all.
 */
export const RecipientRows = ({ shown, chosen, onChange }: RecipientRowsProps) => {
  const scroller = useRef<HTMLDivElement>(null)
  const [rowPx] = useState(() => rowRem * rootFontPx())
  const [scrolledRows, setScrolledRows] = useState(0)
  const [active, setActive] = useState(0)
  const focusNext = useRef(false)
  const anchor = useRef(0)

  const heightPx = (listRem / rowRem) * rowPx
  const { first, end } = rowWindow(shown.length, rowPx, scrolledRows * rowPx, heightPx)
  const drawn = Array.from({ length: end - first }, (_, i) => first + i)
  // The row that Tab returns to stays in the document when it is scrolled out of view.
  if (active < first) drawn.unshift(active)
  if (active >= end && active < shown.length) drawn.push(active)

  useLayoutEffect(() => {
    if (!focusNext.current) return
    focusNext.current = false
    scroller.current?.querySelector<HTMLInputElement>(`[data-row="${active}"]`)?.focus()
  }, [active])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      onChange(chooseRange(chosen, shown, 0, shown.length - 1))
      return
    }
    const move = moves[event.key]
    const list = scroller.current
    if (!move || !list) return
    event.preventDefault()
    const next = move(active, shown.length - 1)
    if (next === active) return
    list.scrollTop = scrollTopFor(next, rowPx, list.scrollTop, heightPx)
    setScrolledRows(Math.floor(list.scrollTop / rowPx))
    focusNext.current = true
    setActive(next)
  }

  // The rows are memoized, so their callback must be stable.
  const latest = useRef({ shown, chosen, onChange })
  useLayoutEffect(() => {
    latest.current = { shown, chosen, onChange }
  })
  const [onToggle] = useState(() => (index: number, id: UserId, withRange: boolean) => {
    const now = latest.current
    now.onChange(withRange ? chooseRange(now.chosen, now.shown, anchor.current, index) : toggle(now.chosen, id))
    anchor.current = index
    setActive(index)
  })

  return (
    <Scroller
      ref={scroller}
      onScroll={({ currentTarget }) => setScrolledRows(Math.floor(currentTarget.scrollTop / rowPx))}
      onKeyDown={onKeyDown}
    >
      <Rows style={{ height: `${shown.length * rowRem}rem` }}>
        {drawn.map((index) => {
          const recipient = shown[index]
          return (
            recipient && (
              <RecipientRow
                key={recipient.id}
                recipient={recipient}
                index={index}
                count={shown.length}
                checked={chosen.has(recipient.id)}
                active={index === active}
                onToggle={onToggle}
              />
            )
          )
        })}
      </Rows>
    </Scroller>
  )
}
