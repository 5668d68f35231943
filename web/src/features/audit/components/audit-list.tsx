import { styled } from '@mui/material/styles'
import type { AuditRow } from '@portal/contracts/notifications/audit'
import { Link } from 'react-router-dom'
import { exactTime } from '../../../ui/time.tsx'

const List = styled('ol')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& li': {
    ...theme.typography.body2,
    position: 'relative',
    display: 'grid',
    gridTemplateColumns: '200px minmax(0, 1fr)',
    gap: theme.spacing(0.5, 4),
    padding: theme.spacing(3, 0),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
    overflowWrap: 'anywhere',
    [theme.breakpoints.down('sm')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  '& time, & .note': { color: theme.vars.palette.text.secondary, fontVariantNumeric: 'tabular-nums' },
  '& .note': { ...theme.typography.caption, display: 'block' },
  '& a': { ...theme.typography.subtitle2, color: 'inherit', textDecoration: 'none', outline: 'none' },
  // The link covers the whole row.
  '& a::after': { content: '""', position: 'absolute', inset: 0 },
  '& li:hover a': { textDecoration: 'underline', textDecorationThickness: 1, textUnderlineOffset: '0.2em' },
  '& a:focus-visible::after': { outline: `2px solid ${theme.vars.palette.text.primary}`, outlineOffset: -2 },
}))

/** The page of the object, or the list that it was in. Undefined for what has neither. */
const pathOf = ({ kind, object }: AuditRow): string | undefined => {
  switch (object?.kind) {
    case 'program':
      return `/admin/programs/edit/${object.id}`
    case 'notification':
      return `/admin/notifications/${object.id}`
    case 'person':
      return `/admin/people/${object.id}`
    case 'university':
      return '/admin/universities'
    case undefined:
      return kind === 'programs' ? '/admin/programs' : undefined
  }
}

const Row = ({ row }: { readonly row: AuditRow }) => {
  const { at, says, reason, reference, requestId } = row
  const path = pathOf(row)
  return (
    <li>
      <time dateTime={at}>{exactTime(at)}</time>
      <div>
        {path === undefined ? says : <Link to={path}>{says}</Link>}
        {reason !== undefined && <span className="note">{`Reason: ${reason}`}</span>}
        {reference !== undefined && <span className="note">{`Reference: ${reference}`}</span>}
        {requestId !== undefined && <span className="note">{`Request ${requestId}`}</span>}
      </div>
    </li>
  )
}

/** One sentence per action, newest first. */
export const AuditList = ({ rows }: { readonly rows: readonly AuditRow[] }) => (
  <List aria-label="Actions">
    {rows.map((row) => (
      <Row key={row.id} row={row} />
    ))}
  </List>
)
