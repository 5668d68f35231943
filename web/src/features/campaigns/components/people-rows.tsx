import { styled } from '@mui/material/styles'
import type { Person } from '@portal/contracts/notifications/audience'
import { useRef, type KeyboardEvent } from 'react'
import { shortcutKeyOf } from '../../../ui/shortcut-key.ts'
import { CheckBox } from '../../../ui/check-box.tsx'
import { roleName } from '../../../ui/role-name.ts'
import { useRowFocus } from '../../../ui/use-row-focus.ts'

const Scroller = styled('div')(({ theme }) => ({
  maxHeight: '15rem',
  overflowY: 'auto',
  overscrollBehavior: 'contain',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  backgroundColor: theme.vars.palette.background.paper,
}))

const Rows = styled('ul')({ listStyle: 'none', margin: 0, padding: 0 })

const Row = styled('label')(({ theme }) => ({
  // rem, so that the rows grow with the font size of the browser.
  height: '3rem',
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
  // The focus ring is drawn around the whole row instead, where the browser can.
  '@supports selector(:has(a))': { '& input:focus-visible': { outline: 'none' } },
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

type PeopleRowsProps<Shown extends Person> = {
  readonly people: readonly Shown[]
  readonly isTicked: (person: Shown) => boolean
  readonly onTick: (people: readonly Shown[], ticked: boolean) => void
}

/**
 * One page of people with check boxes. Tab stops once at the list. The arrow keys move within it, Space ticks a row, Shift with
 * a click a range, Ctrl+A the page.
 */
export const PeopleRows = <Shown extends Person>({ people, isTicked, onTick }: PeopleRowsProps<Shown>) => {
  const scroller = useRef<HTMLDivElement>(null)
  const { tabIndexOf, onFocusRow, onKeyDown } = useRowFocus(scroller, people.length)
  const anchor = useRef(0)

  const onListKeyDown = (event: KeyboardEvent) => {
    if (shortcutKeyOf(event.nativeEvent) === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      onTick(people, true)
    } else onKeyDown(event)
  }
  const onToggle = (row: number, person: Shown, withRange: boolean) => {
    const range = people.slice(Math.min(anchor.current, row), Math.max(anchor.current, row) + 1)
    if (withRange) onTick(range, true)
    else onTick([person], !isTicked(person))
    anchor.current = row
  }

  return (
    <Scroller ref={scroller} onKeyDown={onListKeyDown}>
      <Rows>
        {people.map((person, row) => (
          <li key={person.userId}>
            <Row>
              <CheckBox
                type="checkbox"
                data-row={row}
                checked={isTicked(person)}
                tabIndex={tabIndexOf(row)}
                onFocus={() => onFocusRow(row)}
                onChange={({ nativeEvent }) =>
                  onToggle(row, person, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
                }
              />
              <span>
                <span className="name">{person.fullName}</span> <span className="email">{person.personalEmail}</span>
              </span>{' '}
              <span className="marks">
                <span className="role">{roleName(person.role)}</span>{' '}
                {!person.emailVerified && <span className="unverified">Email not verified</span>}
              </span>
            </Row>
          </li>
        ))}
      </Rows>
    </Scroller>
  )
}
