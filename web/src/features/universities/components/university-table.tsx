import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { University } from '@portal/contracts/catalog/http'
import { useState } from 'react'
import { hasWords, plainText } from '../../../lib/search-text.ts'
import { SearchField } from '../../../ui/search-field.tsx'
import { DataTable, type Column } from '../../../ui/table/data-table.tsx'
import { sortRows, type Sort } from '../../../ui/table/sort.ts'
import { UniversityRow } from './university-row.tsx'

const Search = styled('div')(({ theme }) => ({
  marginBottom: theme.spacing(3),
  [theme.breakpoints.up('sm')]: { maxWidth: 360 },
}))

const columns: readonly Column<'name'>[] = [{ name: 'name', label: 'Name' }]

type UniversityTableProps = {
  readonly universities: readonly University[]
  readonly onRename: (university: University, name: string) => Promise<boolean>
  readonly onDelete: (university: University) => void
}

export const UniversityTable = ({ universities, onRename, onDelete }: UniversityTableProps) => {
  const [query, setQuery] = useState('')
  const [sort, setSort] = useState<Sort<'name'>>({ column: 'name', direction: 'ascending' })
  const found = universities.filter(({ name }) => hasWords(plainText(name), query))
  const shown = sortRows(found, sort, ({ name }) => name)
  return (
    <>
      <Search>
        <SearchField label="Search universities" value={query} onChange={setQuery} />
      </Search>
      <DataTable label="Universities" columns={columns} sort={sort} onSort={setSort}>
        {shown.map((university) => (
          <UniversityRow key={university._id} university={university} onRename={onRename} onDelete={onDelete} />
        ))}
      </DataTable>
      {shown.length === 0 && (
        <Typography align="center" color="textSecondary" sx={{ paddingBlock: 8 }}>
          No university matches “{query.trim()}”.
        </Typography>
      )}
    </>
  )
}
