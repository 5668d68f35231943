import { styled } from '@mui/material/styles'
import type { listRecipients, RecipientFilter } from '@portal/contracts/notifications/http'
import type { DeliveryStatus } from '@portal/contracts/notifications/notification'
import type { z } from 'zod'
import { FilterChip } from '../../../ui/filter-chip.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { StateSwatch } from '../components/delivery-states.tsx'
import { deliveryStates, formatCount, stateLabels } from '../progress.ts'
import { useTypedText } from '../../../lib/use-typed-text.ts'

const Chips = styled('div')(({ theme }) => ({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(2) }))

const Controls = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(3), marginTop: theme.spacing(3) }))

type Answer = z.output<typeof listRecipients.response>

type RecipientFilterBarProps = Pick<Answer, 'counts' | 'reasons'> & {
  readonly filter: RecipientFilter
  readonly onFilter: (filter: RecipientFilter) => void
}

/** 'no device' as the text of a chip. */
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Search, and a chip per status and reason that occurs. A chip that is pressed again is switched off. */
export const RecipientFilterBar = ({ filter, counts, reasons, onFilter }: RecipientFilterBarProps) => {
  const { q, ...conditions } = filter
  const withSearch = q === undefined ? {} : { q }
  const [text, type] = useTypedText(q ?? '', (typed) =>
    onFilter(typed === '' ? conditions : { ...conditions, q: typed }),
  )
  const total = deliveryStates.reduce((sum, state) => sum + counts[state], 0)
  const shownReasons = reasons.filter(({ status }) => filter.status === undefined || status === filter.status)
  /** Some reasons occur with several statuses. */
  const nameOf = (status: DeliveryStatus, reason: string): string => {
    const isShared = shownReasons.some((other) => other.reason === reason && other.status !== status)
    return isShared ? `${capitalized(reason)} (${stateLabels[status].toLowerCase()})` : capitalized(reason)
  }
  return (
    <Controls role="search" aria-label="Recipients">
      <SearchField label="Search by name or email" value={text} onChange={type} />
      <Chips role="group" aria-label="Status">
        <FilterChip isActive={filter.status === undefined} onPress={() => onFilter(withSearch)}>
          All <b>{formatCount(total)}</b>
        </FilterChip>
        {deliveryStates
          .filter((state) => counts[state] > 0 || filter.status === state)
          .map((state) => (
            <FilterChip
              key={state}
              isActive={filter.status === state}
              onPress={() => onFilter(filter.status === state ? withSearch : { ...withSearch, status: state })}
            >
              <StateSwatch state={state} aria-hidden="true" />
              {stateLabels[state]} <b>{formatCount(counts[state])}</b>
            </FilterChip>
          ))}
      </Chips>
      {shownReasons.length > 0 && (
        <Chips role="group" aria-label="Reason">
          {shownReasons.map(({ status, reason, says, count }) => {
            const isActive = filter.reason === reason && filter.status === status
            return (
              <FilterChip
                key={`${status} ${reason}`}
                isActive={isActive}
                title={says}
                onPress={() => onFilter(isActive ? { ...withSearch, status } : { ...withSearch, status, reason })}
              >
                {nameOf(status, reason)} <b>{formatCount(count)}</b>
              </FilterChip>
            )
          })}
        </Chips>
      )}
    </Controls>
  )
}
