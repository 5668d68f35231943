import ButtonBase from '@mui/material/ButtonBase'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { ChevronDownIcon } from '../icons.tsx'
import { nextSort, type Sort } from './sort.ts'

export type Column<Name extends string> = {
  readonly name: Name
  readonly label: string
  /** A share of the width, as in `width: 40%`. */
  readonly width?: string
}

/** Rows under a sticky header. On a phone, each row is a card and the header holds the sort buttons. */
const Table = styled('table')(({ theme }) => ({
  width: '100%',
  borderCollapse: 'separate',
  borderSpacing: 0,
  fontVariantNumeric: 'tabular-nums',
  '& thead': { position: 'sticky', top: 'var(--bar-height, 0px)', zIndex: 1 },
  '& th': {
    padding: 0,
    textAlign: 'left',
    background: theme.vars.palette.background.default,
    borderBottom: `1px solid ${theme.vars.palette.portal.edge}`,
  },
  '& td': {
    padding: theme.spacing(2, 4, 2, 0),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
    overflowWrap: 'anywhere',
  },
  '& .actions': { width: 1, whiteSpace: 'nowrap', textAlign: 'right', paddingRight: 0 },
  '& .short': { whiteSpace: 'nowrap' },
  [theme.breakpoints.up('sm')]: {
    '& tbody tr:hover td': { background: theme.vars.palette.background.paper },
  },
  // On wide screens the columns keep their width when rows change.
  [theme.breakpoints.up('lg')]: { tableLayout: 'fixed', '& .actions': { width: 176 } },
  [theme.breakpoints.down('sm')]: {
    '&, & thead, & tbody, & tr, & td': { display: 'block' },
    '& thead': { background: theme.vars.palette.background.default },
    '& thead tr::before': {
      content: '"Sort by"',
      ...theme.typography.body2,
      flex: 'none',
      marginRight: theme.spacing(1),
      color: theme.vars.palette.text.secondary,
    },
    '& th button:not([data-active]) svg': { display: 'none' },
    '& thead tr': {
      display: 'flex',
      alignItems: 'center',
      gap: theme.spacing(1),
      overflowX: 'auto',
      scrollbarWidth: 'none',
      borderBottom: `1px solid ${theme.vars.palette.portal.edge}`,
    },
    '& th': { width: 'auto !important', borderBottom: 'none', whiteSpace: 'nowrap', flex: 'none' },
    '& th.actions': { display: 'none' },
    '& tbody tr': { padding: theme.spacing(4, 0, 2), borderBottom: `1px solid ${theme.vars.palette.divider}` },
    '& td': { padding: 0, borderBottom: 'none' },
    '& td[data-label]': {
      display: 'grid',
      gridTemplateColumns: '6rem minmax(0, 1fr)',
      alignItems: 'baseline',
      gap: theme.spacing(3),
      paddingTop: theme.spacing(1),
      textAlign: 'left',
    },
    '& td[data-label]::before': {
      content: 'attr(data-label)',
      ...theme.typography.body2,
      lineHeight: 'inherit',
      color: theme.vars.palette.text.secondary,
    },
    '& td.actions .MuiButton-root': { minWidth: 0 },
    '& td.actions': { width: 'auto', textAlign: 'left', marginLeft: theme.spacing(-3), paddingTop: theme.spacing(1) },
  },
}))

const SortButton = styled(ButtonBase)(({ theme }) => ({
  ...theme.typography.subtitle2,
  display: 'inline-flex',
  alignItems: 'center',
  gap: theme.spacing(1),
  minHeight: theme.portal.sizes.target,
  marginInline: theme.spacing(-1, 0),
  paddingInline: theme.spacing(1),
  borderRadius: theme.portal.radii.control,
  color: theme.vars.palette.text.secondary,
  '& svg': { flex: 'none', visibility: 'hidden' },
  '&:hover, &[data-active]': { color: theme.vars.palette.text.primary },
  '&[data-active] svg': { visibility: 'visible', color: theme.vars.palette.primary.main },
}))

const ActionsHead = styled('span')(({ theme }) => ({
  ...theme.typography.subtitle2,
  display: 'inline-flex',
  alignItems: 'center',
  minHeight: theme.portal.sizes.target,
  color: theme.vars.palette.text.secondary,
  paddingRight: theme.spacing(3),
}))

type DataTableProps<Name extends string> = {
  readonly label: string
  readonly columns: readonly Column<Name>[]
  readonly sort: Sort<Name> | null
  readonly onSort: (sort: Sort<Name>) => void
  /**
   * `<tr>` elements. The last cell has the class 'actions'. Cells with the class 'short' do not wrap. Cells show their `data-label`
   * when the row is a card.
   */
  readonly children: ReactNode
}

/** A table with sortable columns. The roles are explicit, because browsers drop them when CSS changes `display`. */
export const DataTable = <Name extends string>({ label, columns, sort, onSort, children }: DataTableProps<Name>) => (
  <Table role="table" aria-label={label}>
    <thead role="rowgroup">
      <tr role="row">
        {columns.map(({ name, label: text, width }) => (
          <th
            key={name}
            role="columnheader"
            scope="col"
            style={{ width }}
            aria-sort={sort?.column === name ? sort.direction : 'none'}
          >
            <SortButton
              data-active={sort?.column === name ? '' : undefined}
              onClick={() => onSort(nextSort(sort, name))}
            >
              {text}
              <ChevronDownIcon
                size={16}
                weight={2.25}
                style={{ rotate: sort?.column === name && sort.direction === 'ascending' ? '180deg' : '0deg' }}
              />
            </SortButton>
          </th>
        ))}
        <th role="columnheader" scope="col" className="actions">
          <ActionsHead>Actions</ActionsHead>
        </th>
      </tr>
    </thead>
    <tbody role="rowgroup">{children}</tbody>
  </Table>
)
