import ButtonBase from '@mui/material/ButtonBase'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { ChevronDownIcon } from '../icons.tsx'
import { TableFrame } from './table-frame.tsx'
import { nextSort, type Sort } from './sort.ts'

export type Column<Name extends string> = {
  readonly name: Name
  readonly label: string
  /** A share of the width, as in `width: 40%`. */
  readonly width?: string
}

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
  // Faint, but visible without a hover: the column can be sorted.
  '& svg': { flex: 'none', opacity: 0.5 },
  '&:hover, &[data-active]': { color: theme.vars.palette.text.primary },
  '&[data-active] svg': { opacity: 1, color: theme.vars.palette.primary.main },
}))

const ActionsHead = styled('span')(({ theme }) => ({
  ...theme.typography.subtitle2,
  display: 'inline-flex',
  alignItems: 'center',
  minHeight: theme.portal.sizes.target,
  color: theme.vars.palette.text.secondary,
  paddingRight: theme.spacing(3),
}))

type SortHeadProps<Name extends string> = {
  readonly column: Column<Name>
  readonly sort: Sort<Name> | null
  readonly onSort: (sort: Sort<Name>) => void
}

/** The head of a column that can be sorted. */
export const SortHead = <Name extends string>({
  column: { name, label, width },
  sort,
  onSort,
}: SortHeadProps<Name>) => (
  <th role="columnheader" scope="col" style={{ width }} aria-sort={sort?.column === name ? sort.direction : 'none'}>
    <SortButton data-active={sort?.column === name ? '' : undefined} onClick={() => onSort(nextSort(sort, name))}>
      <span>{label}</span>
      <ChevronDownIcon
        size={16}
        weight={2.25}
        style={{ rotate: sort?.column === name && sort.direction === 'ascending' ? '180deg' : '0deg' }}
      />
    </SortButton>
  </th>
)

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
  <TableFrame role="table" aria-label={label}>
    <thead role="rowgroup">
      <tr role="row">
        {columns.map((column) => (
          <SortHead key={column.name} column={column} sort={sort} onSort={onSort} />
        ))}
        <th role="columnheader" scope="col" className="actions">
          <ActionsHead>Actions</ActionsHead>
        </th>
      </tr>
    </thead>
    <tbody role="rowgroup">{children}</tbody>
  </TableFrame>
)
