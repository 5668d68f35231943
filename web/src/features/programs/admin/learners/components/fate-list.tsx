import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { LearnerRow } from '@portal/contracts/catalog/learners'
import { useEffect, useRef } from 'react'
import { groupedAsInIndia } from '../../../../../lib/number-format.ts'
import { countsText, fateText, isChange, type Tense } from '../fates.ts'

const Rows = styled('ul')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(2),
  maxHeight: '16rem',
  overflowY: 'auto',
  margin: 0,
  padding: theme.spacing(2, 3),
  listStyle: 'none',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.portal.radii.control,
  overflowWrap: 'anywhere',
  fontVariantNumeric: 'tabular-nums',
  '& > li > span': { display: 'block' },
  '& .facts': { color: theme.vars.palette.text.secondary },
  '& .fate': { fontWeight: 600 },
  '& .change': { color: theme.vars.palette.portal.tones.green.text },
}))

/** More are counted. */
const maxShown = 500

/** A row of a list with what becomes of it. */
export type ShownRow = {
  /** The name, the address, or the row as it stands in the list. */
  readonly title: string
  /** What the row states, such as an amount. */
  readonly facts?: string | undefined
  readonly fate: string
  readonly isChange?: boolean
}

export const RowList = ({ label, rows }: { readonly label: string; readonly rows: readonly ShownRow[] }) => (
  <Rows tabIndex={0} aria-label={label}>
    {rows.slice(0, maxShown).map(({ title, facts, fate, isChange: changes = false }, n) => (
      // Rows can repeat.
      <li key={`${n} ${title}`}>
        <span>{title}</span>
        {facts !== undefined && <span className="facts">{facts}</span>}
        <span className={changes ? 'fate change' : 'fate'}>{fate}</span>
      </li>
    ))}
    {rows.length > maxShown && <li>{`… and ${groupedAsInIndia(rows.length - maxShown)} more`}</li>}
  </Rows>
)

type FateListProps = {
  readonly rows: readonly LearnerRow[]
  readonly tense: Tense
  /** The person of a row, and what the row states. */
  readonly describe: (row: LearnerRow, index: number) => Pick<ShownRow, 'title' | 'facts'>
  /** Rows that are not sent. */
  readonly leftOut?: readonly ShownRow[]
}

/** What becomes of each row: the counts, which take the focus, and the rows, those first that change nothing. */
export const FateList = ({ rows, tense, describe, leftOut = [] }: FateListProps) => {
  const counts = useRef<HTMLParagraphElement>(null)
  useEffect(() => counts.current?.focus({ preventScroll: true }), [])
  const described = rows.map((row, index) => ({
    ...describe(row, index),
    fate: fateText(row, tense),
    isChange: isChange(row.fate),
  }))
  const refused = described.filter((row) => !row.isChange)
  const changed = described.filter((row) => row.isChange)
  const leftOutText = leftOut.length > 0 ? `, ${groupedAsInIndia(leftOut.length)} left out` : ''
  return (
    <>
      <Typography ref={counts} tabIndex={-1} variant="body2" component="p" sx={{ fontWeight: 600, outline: 'none' }}>
        {`${countsText(rows, tense)}${leftOutText}`}
      </Typography>
      <RowList
        label={tense === 'preview' ? 'What will become of each row' : 'What became of each row'}
        rows={[...refused, ...leftOut, ...changed]}
      />
    </>
  )
}
