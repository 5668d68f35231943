import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { University } from '@portal/contracts/catalog/http'
import { useState, type Ref } from 'react'
import { useSearchText } from '../../../lib/use-search-text.ts'
import { normalizeText } from '@portal/contracts/shared/search-text'
import { matchesAllWords } from '../../../lib/search-text.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { ListSearch, searchFromEntries } from '../../../ui/list-search.tsx'
import { DataTable, type Column } from '../../../ui/table/data-table.tsx'
import { sortRows, type Sort } from '../../../ui/table/sort.ts'
import { BesideField, TextField } from '../../../ui/text-field.tsx'
import { languageOf } from '../../../ui/text-language.ts'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { useNameForm } from '../use-name-form.ts'
import type { SavedName } from '../use-universities.ts'

const Form = styled('form')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'start',
  gap: theme.spacing(2),
  paddingBlock: theme.spacing(1),
  // As tall as the text field beside them.
  '& .MuiButton-root': { minHeight: 48 },
  '& .MuiButton-text': { marginLeft: theme.spacing(2) },
  [theme.breakpoints.down('sm')]: {
    gridTemplateColumns: 'minmax(0, 1fr)',
    // Below the field instead.
    '& > :last-child::before': { content: 'none' },
  },
}))

type UniversityRowProps = {
  readonly university: University
  readonly rowRef: Ref<HTMLTableRowElement>
  readonly onRename: (university: University, name: string) => Promise<SavedName>
  readonly onDelete: (university: University) => void
}

const EditForm = ({
  university,
  onRename,
  onDone,
}: Omit<UniversityRowProps, 'onDelete' | 'rowRef'> & { onDone: () => void }) => {
  const [name, setName] = useState(university.name)
  const { submit, field, button } = useNameForm({
    name,
    setName,
    save: (to) => onRename(university, to),
    onSaved: onDone,
  })
  return (
    <Form onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && onDone()}>
      <TextField {...field} autoFocus />
      <BesideField>
        <BusyButton type="submit" {...button}>
          Save
        </BusyButton>
        <Button variant="text" color="secondary" onClick={onDone}>
          Cancel
        </Button>
      </BesideField>
    </Form>
  )
}

/** A university with its actions, or its edit form. */
const UniversityRow = ({ university, rowRef, onRename, onDelete }: UniversityRowProps) => {
  const [mode, setMode] = useState<'shown' | 'editing' | 'edited'>('shown')
  if (mode === 'editing') {
    return (
      <tr role="row">
        <td role="cell" colSpan={2}>
          <EditForm university={university} onRename={onRename} onDone={() => setMode('edited')} />
        </td>
      </tr>
    )
  }
  return (
    <tr role="row" ref={rowRef}>
      <td role="cell" lang={languageOf(university.name)}>
        {university.name}
      </td>
      <td role="cell" className="actions">
        <Button
          variant="text"
          color="secondary"
          // The field that had the focus is unmounted.
          autoFocus={mode === 'edited'}
          onClick={() => setMode('editing')}
        >
          Edit<VisuallyHidden> {university.name}</VisuallyHidden>
        </Button>
        <Button variant="text" color="error" onClick={() => onDelete(university)}>
          Delete<VisuallyHidden> {university.name}</VisuallyHidden>
        </Button>
      </td>
    </tr>
  )
}

const Search = styled('div')(({ theme }) => ({ marginBottom: theme.spacing(3) }))

const columns: readonly Column<'name'>[] = [{ name: 'name', label: 'Name' }]

/** Pinned universities come first, also if they do not match the search. */
const rowsOf = (
  universities: readonly University[],
  query: string,
  pinned: ReadonlySet<string>,
  sort: Sort<'name'>,
) => {
  const isPinned = ({ _id }: University) => pinned.has(_id)
  const matches = universities.filter(
    (university) => !isPinned(university) && matchesAllWords(normalizeText(university.name), query),
  )
  return {
    found: matches.length,
    first: universities.filter(isPinned),
    rest: sortRows(matches, sort, ({ name }) => name),
  }
}

type UniversityTableProps = {
  readonly universities: readonly University[]
  readonly pinned: ReadonlySet<string>
  readonly onUnpin: () => void
  readonly rowRef: (id: string) => (row: HTMLElement | null) => void
  readonly onRename: (university: University, name: string) => Promise<SavedName>
  readonly onDelete: (university: University) => void
}

export const UniversityTable = (props: UniversityTableProps) => {
  const { universities, pinned, onUnpin, rowRef, onRename, onDelete } = props
  const [text, type] = useSearchText()
  const [sort, setSort] = useState<Sort<'name'>>({ column: 'name', direction: 'ascending' })
  const { found, first, rest } = rowsOf(universities, text, pinned, sort)
  return (
    <>
      {(universities.length >= searchFromEntries || text !== '') && (
        <Search>
          <ListSearch
            label="Search universities"
            value={text}
            onChange={(typed) => {
              onUnpin()
              type(typed)
            }}
            found={text.trim() === '' ? universities.length : found}
            total={universities.length}
            noun={['university', 'universities']}
            isTotalInHead
          />
        </Search>
      )}
      <DataTable
        label="Universities"
        columns={columns}
        sort={sort}
        onSort={(next) => {
          onUnpin()
          setSort(next)
        }}
      >
        {[...first, ...rest].map((university) => (
          <UniversityRow
            key={university._id}
            university={university}
            rowRef={rowRef(university._id)}
            onRename={onRename}
            onDelete={onDelete}
          />
        ))}
      </DataTable>
      {first.length + rest.length === 0 && (
        <Typography align="center" color="textSecondary" sx={{ paddingBlock: 8 }}>
          {`No university matches “${text.trim()}”.`}
        </Typography>
      )}
    </>
  )
}
