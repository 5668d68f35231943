import type { LearnerSort } from '@portal/contracts/notifications/learners'
import type { LinkedColumn } from '../../../../ui/table/linked-rows.tsx'
import type { Sort } from '../../../../ui/table/sort.ts'

type LearnerColumn = 'name' | 'email' | 'university' | 'enrolled' | 'payment' | 'semester'

/** A column without a name cannot be sorted. */
export const learnerColumns: readonly LinkedColumn<LearnerColumn>[] = [
  { name: 'name', label: 'Name', width: '19%' },
  { name: 'email', label: 'Email', width: '18%' },
  { name: 'university', label: 'University' },
  { label: 'Student code', width: '14%' },
  { name: 'enrolled', label: 'Enrolled', width: '12%' },
  { name: 'payment', label: 'Payment', width: '14%' },
  { name: 'semester', label: 'Semester', width: '11%' },
]

export const sortOf = (sort: LearnerSort): Sort<LearnerColumn> => ({
  column: learnerColumns.flatMap((one) => ('name' in one && sort.endsWith(one.name) ? [one.name] : []))[0] ?? 'name',
  direction: sort.startsWith('-') ? 'descending' : 'ascending',
})

export const learnerSortOf = ({ column, direction }: Sort<LearnerColumn>): LearnerSort =>
  direction === 'ascending' ? column : `-${column}`
