import { styled } from '@mui/material/styles'
import type { LearnerSort } from '@portal/contracts/notifications/learners'
import type { ReactNode } from 'react'
import { SortHead } from '../../../../../ui/table/data-table.tsx'
import { TableFrame } from '../../../../../ui/table/table-frame.tsx'
import { learnerColumns, learnerSortOf, sortOf } from '../learner-columns.ts'

const Frame = styled(TableFrame)(({ theme }) => ({
  ...theme.typography.body2,
  '& th': {
    ...theme.typography.subtitle2,
    height: theme.portal.sizes.target,
    color: theme.vars.palette.text.secondary,
  },
  '& td': { verticalAlign: 'top', paddingBlock: theme.spacing(3) },
  '& tbody tr[data-marked] td, & tbody tr[data-marked]:hover td': { background: theme.vars.palette.portal.accentSoft },
  // The bar with the actions covers the end of the window.
  '& a, & input': { scrollMarginBlock: theme.spacing(30) },
  [theme.breakpoints.down('sm')]: {
    '& td': { paddingBlock: 0 },
    '& tr[data-marked]': { background: theme.vars.palette.portal.accentSoft },
    '& th:not([aria-sort])': { display: 'none' },
  },
}))

type LearnerTableProps = {
  readonly sort: LearnerSort
  readonly onSort: (sort: LearnerSort) => void
  readonly children: ReactNode
}

/** Rows of learners below heads that sort them on the server. */
export const LearnerTable = ({ sort, onSort, children }: LearnerTableProps) => (
  <Frame role="table" aria-label="Learners">
    <thead role="rowgroup">
      <tr role="row">
        {learnerColumns.map((column) =>
          'name' in column ? (
            <SortHead
              key={column.label}
              column={column}
              sort={sortOf(sort)}
              onSort={(next) => onSort(learnerSortOf(next))}
            />
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
