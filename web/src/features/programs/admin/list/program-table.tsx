import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { Program } from '@portal/contracts/catalog/program'
import { useState } from 'react'
import { SearchField } from '../../../../ui/search-field.tsx'
import { DataTable } from '../../../../ui/table/data-table.tsx'
import { sortRows, type Sort } from '../../../../ui/table/sort.ts'
import { findPrograms, programColumns, programKey, type ProgramColumn } from './program-columns.ts'
import { ProgramRow } from './program-row.tsx'

const Tools = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 360px) auto',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(2, 4),
  marginBottom: theme.spacing(3),
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}))

const found = (shown: number, all: number): string => {
  const total = all === 1 ? '1 program' : `${all} programs`
  return shown === all ? total : `${shown} of ${total}`
}

type ProgramTableProps = { readonly programs: readonly Program[]; readonly onDelete: (program: Program) => void }

export const ProgramTable = ({ programs, onDelete }: ProgramTableProps) => {
  const [query, setQuery] = useState('')
  const [sort, setSort] = useState<Sort<ProgramColumn> | null>(null)
  const shown = sortRows(findPrograms(programs, query), sort, programKey)
  return (
    <>
      <Tools>
        <SearchField label="Search programs" value={query} onChange={setQuery} />
        <Typography variant="body2" color="textSecondary" role="status" sx={{ fontVariantNumeric: 'tabular-nums' }}>
          {found(shown.length, programs.length)}
        </Typography>
      </Tools>
      <DataTable label="Programs" columns={programColumns} sort={sort} onSort={setSort}>
        {shown.map((program) => (
          <ProgramRow key={program._id} program={program} onDelete={onDelete} />
        ))}
      </DataTable>
      {shown.length === 0 && (
        <Typography align="center" color="textSecondary" sx={{ paddingBlock: 8 }}>
          No program matches “{query.trim()}”.
        </Typography>
      )}
    </>
  )
}
