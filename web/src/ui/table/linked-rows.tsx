import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { type Column, SortHead } from './data-table.tsx'
import type { Sort } from './sort.ts'
import { TableFrame } from './table-frame.tsx'

const Frame = styled(TableFrame)(({ theme }) => ({
  ...theme.typography.body2,
  '& th': {
    ...theme.typography.subtitle2,
    height: theme.portal.sizes.target,
    color: theme.vars.palette.text.secondary,
  },
  '& tbody tr': { position: 'relative' },
  '& td': { verticalAlign: 'top', paddingBlock: theme.spacing(3) },
  '& a': { ...theme.typography.subtitle2, color: 'inherit', textDecoration: 'none' },
  '& a::after': { content: '""', position: 'absolute', inset: 0 },
  '& tr:hover a': { textDecoration: 'underline', textDecorationThickness: 1, textUnderlineOffset: '0.2em' },
  '& a:focus-visible': { outline: 'none' },
  '& a:focus-visible::after': { outline: `2px solid ${theme.vars.palette.text.primary}`, outlineOffset: -2 },
  // The rows are cards that say what each cell is.
  [theme.breakpoints.down('sm')]: {
    '& td': { paddingBlock: 0 },
    // Only a head that sorts is of use.
    '&:not([data-sorted]) thead, & th:not([aria-sort])': { display: 'none !important' },
  },
}))

type LinkedRowsProps = {
  readonly label: string
  /** The heads of the columns with their widths. */
  readonly columns: readonly (readonly [label: string, width: string | undefined])[]
  readonly className?: string
  readonly children: ReactNode
}

/** A table without sorting, with one link per row that covers the whole row. */
export const LinkedRows = ({ label, columns, className, children }: LinkedRowsProps) => (
  <Frame role="table" aria-label={label} className={className}>
    <thead role="rowgroup">
      <tr role="row">
        {columns.map(([head, width]) => (
          <th key={head} role="columnheader" scope="col" style={{ width }}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody role="rowgroup">{children}</tbody>
  </Frame>
)

/** A column without a name cannot be sorted. */
export type LinkedColumn<Name extends string> = Column<Name> | Omit<Column<Name>, 'name'>

type SortedLinkedRowsProps<Name extends string> = {
  readonly label: string
  readonly columns: readonly LinkedColumn<Name>[]
  readonly sort: Sort<Name>
  readonly onSort: (sort: Sort<Name>) => void
  readonly children: ReactNode
}

/** The same with columns that can be sorted. */
export const SortedLinkedRows = <Name extends string>({
  label,
  columns,
  sort,
  onSort,
  children,
}: SortedLinkedRowsProps<Name>) => (
  <Frame role="table" aria-label={label} data-sorted="">
    <thead role="rowgroup">
      <tr role="row">
        {columns.map((column) =>
          'name' in column ? (
            <SortHead key={column.label} column={column} sort={sort} onSort={onSort} />
          ) : (
            <th key={column.label} role="columnheader" scope="col" style={{ width: column.width }}>
              {column.label}
            </th>
          ),
        )}
      </tr>
    </thead>
    <tbody role="rowgroup">{children}</tbody>
  </Frame>
)
