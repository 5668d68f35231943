import { styled } from '@mui/material/styles'
import { paymentStatusSchema, semesterName } from '@portal/contracts/catalog/enrollment'
import { defaultSemesterCount } from '@portal/contracts/catalog/program'
import { useSearchText } from '../../../../../lib/use-search-text.ts'
import { FilterChip } from '../../../../../ui/filter-chip.tsx'
import { ListSearch } from '../../../../../ui/list-search.tsx'
import type { LearnerConditions } from '../learner-query.ts'

const Stack = styled('div')(({ theme }) => ({ display: 'grid', gap: theme.spacing(3), marginBottom: theme.spacing(3) }))
const Chips = styled('div')(({ theme }) => ({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(2) }))

type LearnerFilterProps = {
  readonly conditions: LearnerConditions
  /** Undefined while the program loads. */
  readonly semesterCount: number | undefined
  /** The number of learners that match; undefined while they load, and after a failure. */
  readonly found: number | undefined
  readonly total: number
  readonly counts: Readonly<Record<'pending' | 'completed', number>> | undefined
  readonly onChange: (conditions: LearnerConditions) => void
}

/** Search, and one condition each for payment and semester. */
export const LearnerFilter = (props: LearnerFilterProps) => {
  const { conditions, semesterCount, found, total, counts, onChange } = props
  const [text, type] = useSearchText()
  // A chosen one that the program no longer has can be taken back. Most programs have as many, so that nothing moves when it is loaded.
  const shownSemesters = Math.max(semesterCount ?? defaultSemesterCount, conditions.semester ?? 0)
  const countOf = { Pending: counts?.pending, Completed: counts?.completed }
  return (
    <Stack>
      <ListSearch
        label="Search learners"
        value={text}
        onChange={type}
        found={found}
        total={total}
        noun={['learner', 'learners']}
      />
      <Chips role="group" aria-label="Filter">
        {paymentStatusSchema.options.map((status) => {
          const isActive = conditions.paymentStatus === status
          return (
            <FilterChip
              key={status}
              isActive={isActive}
              onPress={() => onChange({ ...conditions, paymentStatus: isActive ? undefined : status })}
            >
              <span>{`Payment ${status.toLowerCase()}`}</span>
              {countOf[status] !== undefined && <b>{` ${countOf[status]}`}</b>}
            </FilterChip>
          )
        })}
        {Array.from({ length: shownSemesters }, (_, index) => {
          const semester = index + 1
          const isActive = conditions.semester === semester
          return (
            <FilterChip
              key={semester}
              isActive={isActive}
              onPress={() => onChange({ ...conditions, semester: isActive ? undefined : semester })}
            >
              {semesterName(semester)}
            </FilterChip>
          )
        })}
      </Chips>
    </Stack>
  )
}
