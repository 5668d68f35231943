import { styled } from '@mui/material/styles'
import { groupedAsInIndia } from '../lib/number-format.ts'
import { SearchField } from './search-field.tsx'

/** A list with as many entries offers a search. */
export const searchFromEntries = 12

const Bar = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 360px) auto',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(2, 4),
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}))

const Count = styled('span')(({ theme }) => ({
  ...theme.typography.body2,
  minHeight: '1lh',
  fontVariantNumeric: 'tabular-nums',
  color: theme.vars.palette.text.secondary,
}))

const countText = (found: number | undefined, total: number, [one, many]: readonly [string, string]): string => {
  if (found === undefined) return 'Searching'
  const all = `${groupedAsInIndia(total)} ${total === 1 ? one : many}`
  return found === total ? all : `${groupedAsInIndia(found)} of ${all}`
}

type ListSearchProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (query: string) => void
  /** The number of entries that match; undefined while the server searches. */
  readonly found: number | undefined
  readonly total: number
  /** Singular and plural. */
  readonly noun: readonly [string, string]
  /** The head of the page has the total, so it is shown only beside a smaller number. */
  readonly isTotalInHead?: boolean
}

/** The search above a long list, with the number of entries that match. */
export const ListSearch = ({ label, value, onChange, found, total, noun, isTotalInHead = false }: ListSearchProps) => (
  <Bar role="search" aria-label={label}>
    <SearchField label={label} value={value} onChange={onChange} />
    <Count role="status">{isTotalInHead && found === total ? '' : countText(found, total, noun)}</Count>
  </Bar>
)
