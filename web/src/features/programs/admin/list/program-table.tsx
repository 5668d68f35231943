import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { Program } from '@portal/contracts/catalog/program'
import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { groupedAsInIndia } from '../../../../lib/number-format.ts'
import { normalizeText } from '@portal/contracts/shared/search-text'
import { matchesAllWords } from '../../../../lib/search-text.ts'
import { useSearchText } from '../../../../lib/use-search-text.ts'
import { ListSearch, searchFromEntries } from '../../../../ui/list-search.tsx'
import { formatRupees } from '../../../../ui/money.ts'
import { DelayedFadeIn } from '../../../../ui/skeletons.tsx'
import { languageOf } from '../../../../ui/text-language.ts'
import { DataTable, type Column } from '../../../../ui/table/data-table.tsx'
import { sortRows, type Sort, type SortKey } from '../../../../ui/table/sort.ts'
import { useRowHighlight } from '../../../../ui/use-row-highlight.ts'
import { VisuallyHidden } from '../../../../ui/visually-hidden.tsx'
import { learnersPath } from '../learners/learner-query.ts'
import { useEnrolledIn, type EnrolledIn } from './use-enrolled-in.ts'

type ProgramColumn = 'name' | 'semesters' | 'fee' | 'tools' | 'enrolled'

const programColumns: readonly Column<ProgramColumn>[] = [
  { name: 'name', label: 'Program Name', width: '28%' },
  { name: 'semesters', label: 'Semesters' },
  { name: 'fee', label: 'Fee', width: '13%' },
  { name: 'tools', label: 'Tools' },
  { name: 'enrolled', label: 'Enrolled' },
]

export const toolCount = ({ toolkit }: { readonly toolkit: readonly unknown[] }): string => {
  if (toolkit.length === 0) return 'No tools'
  return toolkit.length === 1 ? '1 tool' : `${toolkit.length} tools`
}

/** A fee is free text. It sorts by its first amount ('₹45,000' as 45000), or as text if it has none. */
export const feeKey = (fee: string): SortKey => {
  const amount = /\d[\d,]*(?:\.\d+)?/.exec(fee)?.[0]
  return amount === undefined ? fee : Number(amount.replaceAll(',', ''))
}

export const programKey = (program: Program, column: ProgramColumn, enrolledIn: EnrolledIn): SortKey => {
  switch (column) {
    case 'name':
      return program.programName
    case 'semesters':
      return program.semesterCount
    case 'fee':
      return feeKey(program.fee)
    case 'tools':
      return program.toolkit.length
    case 'enrolled':
      return enrolledIn(program._id) ?? -1
  }
}

/** The programs whose name, code, fee or tools contain every word of the query. */
export const findPrograms = (programs: readonly Program[], query: string): readonly Program[] =>
  programs.filter(({ programName, programId, fee, toolkit }) =>
    matchesAllWords(
      normalizeText([programName, programId, fee, formatRupees(fee), ...toolkit.map(({ name }) => name)].join(' ')),
      query,
    ),
  )

const Name = styled('td')(({ theme }) => ({
  '& .name': { ...theme.typography.subtitle1, display: 'block' },
  '& .code': {
    ...theme.typography.caption,
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: theme.spacing(3),
    color: theme.vars.palette.text.secondary,
  },
}))

const Quiet = styled('span')(({ theme }) => ({ color: theme.vars.palette.text.secondary }))

const CountLink = styled(Link)({
  color: 'inherit',
  textDecorationThickness: 1,
  textUnderlineOffset: '0.2em',
  // Easier to hit, without a taller row.
  padding: 10,
  margin: -10,
})

/** A fee is free text: it breaks between its words, and within one only if that is wider than its column. */
const Fee = styled('span')({ display: 'block', overflowWrap: 'break-word' })

/** In one line with the code, so that the row keeps its height. */
const LearnersLink = styled(CountLink)({ display: 'inline-block', marginLeft: 2 })

/** Shows their number once it is known. */
const Learners = ({ program: { _id, programName }, count }: EnrolledProps) => (
  <LearnersLink to={learnersPath(_id)}>
    <span>{count === undefined ? 'Learners' : `Learners (${groupedAsInIndia(count)})`}</span>
    <VisuallyHidden>{` of ${programName}`}</VisuallyHidden>
  </LearnersLink>
)

type EnrolledProps = { readonly program: Program; readonly count: number | undefined }

/** The number of learners leads to the list of them. */
const Enrolled = ({ program: { _id, programName }, count }: EnrolledProps) => {
  if (count === undefined) return <Quiet aria-label="Unknown">–</Quiet>
  if (count === 0) return <Quiet>0</Quiet>
  return (
    <CountLink to={`/admin/dashboard/users?program=${_id}&state=active`}>
      <span>{groupedAsInIndia(count)}</span>
      <VisuallyHidden>{` enrolled in ${programName}`}</VisuallyHidden>
    </CountLink>
  )
}

type ProgramRowProps = {
  readonly program: Program
  readonly enrolled: number | undefined
  readonly listed: number | undefined
  readonly onDelete: (program: Program) => void
  readonly ref: (row: HTMLElement | null) => void
}

const ProgramRow = ({ program, enrolled, listed, onDelete, ref }: ProgramRowProps) => {
  const { _id, programName, programId, semesterCount, fee } = program
  const tools = toolCount(program)
  return (
    <tr role="row" ref={ref}>
      <Name role="cell">
        <span className="name" lang={languageOf(programName)}>
          {programName}
        </span>
        <span className="code">
          <span>{programId}</span>
          <Learners program={program} count={listed} />
        </span>
      </Name>
      <td role="cell" className="short" data-label="Semesters">
        {semesterCount}
      </td>
      <td role="cell" data-label="Fee">
        {fee === '' ? <Quiet>–</Quiet> : <Fee>{formatRupees(fee)}</Fee>}
      </td>
      <td role="cell" className="short" data-label="Tools">
        {program.toolkit.length === 0 ? <Quiet>{tools}</Quiet> : tools}
      </td>
      <td role="cell" className="short" data-label="Enrolled">
        <Enrolled program={program} count={enrolled} />
      </td>
      <td role="cell" className="actions">
        <Button component={Link} to={`/admin/programs/edit/${_id}`} variant="text" color="secondary">
          Edit<VisuallyHidden> {programName}</VisuallyHidden>
        </Button>
        <Button component={Link} to={`/admin/programs/new?copy=${_id}`} variant="text" color="secondary">
          Duplicate<VisuallyHidden> {programName}</VisuallyHidden>
        </Button>
        <Button variant="text" color="error" onClick={() => onDelete(program)}>
          Delete<VisuallyHidden> {programName}</VisuallyHidden>
        </Button>
      </td>
    </tr>
  )
}

const Frame = styled('div')(({ theme }) => ({
  '--actions-width': '248px',
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(3),
}))

type ProgramTableProps = {
  readonly programs: readonly Program[]
  /** The id of the program to point out. */
  readonly saved: string | undefined
  readonly onDelete: (program: Program) => void
}

/** The newest program comes first until a column is chosen. */
export const ProgramTable = ({ programs, saved, onDelete }: ProgramTableProps) => {
  const [text, type] = useSearchText()
  const [sort, setSort] = useState<Sort<ProgramColumn> | null>(null)
  const { enrolledIn, listedIn } = useEnrolledIn()
  const shown = sortRows(findPrograms(programs.toReversed(), text), sort, (program, column) =>
    programKey(program, column, enrolledIn),
  )
  const { highlight, rowRef } = useRowHighlight()
  useEffect(() => {
    if (saved !== undefined) highlight(saved)
  }, [saved, highlight])
  return (
    <Frame>
      {programs.length >= searchFromEntries || text !== '' ? (
        <ListSearch
          label="Search programs"
          value={text}
          onChange={type}
          found={shown.length}
          total={programs.length}
          noun={['program', 'programs']}
        />
      ) : (
        <Typography variant="body2" color="textSecondary" role="status" sx={{ fontVariantNumeric: 'tabular-nums' }}>
          {programs.length === 1 ? '1 program' : `${programs.length} programs`}
        </Typography>
      )}
      <DataTable label="Programs" columns={programColumns} sort={sort} onSort={setSort}>
        {shown.map((program) => (
          <ProgramRow
            key={program._id}
            ref={rowRef(program._id)}
            program={program}
            enrolled={enrolledIn(program._id)}
            listed={listedIn(program._id)}
            onDelete={onDelete}
          />
        ))}
      </DataTable>
      {shown.length === 0 && (
        <Typography align="center" color="textSecondary" sx={{ paddingBlock: 8 }}>
          {`No program matches “${text.trim()}”.`}
        </Typography>
      )}
    </Frame>
  )
}

/** The skeleton is as tall as the search field, the header and the rows of the table. */
const SkeletonRow = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  height: 61,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  [theme.breakpoints.down('sm')]: { height: 231, alignItems: 'start', paddingTop: theme.spacing(4) },
}))

const SkeletonHead = styled('div')(({ theme }) => ({
  height: 105,
  borderBottom: `1px solid ${theme.vars.palette.portal.edge}`,
  [theme.breakpoints.down('sm')]: { height: 133 },
}))

export const ProgramTableSkeleton = () => (
  <DelayedFadeIn role="status" aria-label="Loading programs">
    <SkeletonHead>
      <Skeleton variant="rounded" height={48} sx={{ maxWidth: { sm: 360 } }} />
    </SkeletonHead>
    {[38, 30, 44, 34].map((percent) => (
      <SkeletonRow key={percent}>
        <Skeleton variant="rounded" width={`${percent}%`} height={36} />
        <Skeleton variant="rounded" width="12%" height={20} />
      </SkeletonRow>
    ))}
  </DelayedFadeIn>
)
