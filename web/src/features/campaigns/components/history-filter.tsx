import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import type { HistoryFilter } from '@portal/contracts/notifications/http'
import type { SentItem } from '@portal/contracts/notifications/sent-item'
import { useId, useState } from 'react'
import { ChevronDownIcon } from '../../../ui/icons.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { countConditions, isUnfiltered } from '../history-query.ts'
import { formatCount } from '../progress.ts'
import { useTypedText } from '../../../lib/use-typed-text.ts'
import { HistoryConditions } from './history-conditions.tsx'

const Bar = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  gap: theme.spacing(0, 1),
  alignItems: 'center',
  paddingTop: theme.spacing(3),
}))

const Result = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(3),
  minHeight: theme.portal.sizes.target,
  fontVariantNumeric: 'tabular-nums',
  color: theme.vars.palette.text.secondary,
  '& .MuiButton-root': { marginRight: theme.spacing(-3) },
}))

type HistoryFilterBarProps = {
  readonly filter: HistoryFilter
  /** The number of campaigns that match; undefined while they load, and after a failure. */
  readonly found: number | undefined
  readonly hasFailed: boolean
  /** The displayed campaigns, whose senders can be chosen. */
  readonly campaigns: readonly SentItem[]
  readonly onFilter: (filter: HistoryFilter) => void
}

const resultText = (found: number | undefined, hasFailed: boolean): string => {
  if (hasFailed) return 'The search failed'
  return found === undefined ? 'Searching' : `${formatCount(found)} found`
}

/** Search and conditions above the history, with the number of matches and a button that clears them. */
export const HistoryFilterBar = ({ filter, found, hasFailed, campaigns, onFilter }: HistoryFilterBarProps) => {
  const id = useId()
  const conditions = countConditions(filter)
  const [isOpen, setOpen] = useState(conditions > 0)
  const [text, type] = useTypedText(filter.q ?? '', (typed) => {
    const { q: _, ...rest } = filter
    onFilter(typed === '' ? rest : { ...rest, q: typed })
  })
  return (
    <div role="search" aria-label="Sent notifications">
      <Bar>
        <SearchField label="Search sent notifications" value={text} onChange={type} />
        <Button
          variant="text"
          size="small"
          color="secondary"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          endIcon={<ChevronDownIcon size={16} style={{ rotate: isOpen ? '180deg' : '0deg' }} />}
          sx={{ mr: -3 }}
        >
          <span>{conditions === 0 ? 'Filter' : `Filter (${conditions})`}</span>
        </Button>
      </Bar>
      <div id={id}>{isOpen && <HistoryConditions filter={filter} campaigns={campaigns} onFilter={onFilter} />}</div>
      {!isUnfiltered(filter) && (
        <Result>
          <span role="status">{resultText(found, hasFailed)}</span>
          <Button variant="text" size="small" onClick={() => onFilter({})}>
            Clear filter
          </Button>
        </Result>
      )}
    </div>
  )
}
