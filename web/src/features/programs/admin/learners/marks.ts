import { learnerLimits } from '@portal/contracts/catalog/learners'
import type { ListedLearner } from '@portal/contracts/notifications/learners'
import type { UserId } from '@portal/contracts/shared/ids'

/** The marked learners as they were last seen, in the order of marking. */
export type Marks = ReadonlyMap<UserId, ListedLearner>

export const noMarks: Marks = new Map()

/** How many of the rows are marked. */
export const markedOf = (marks: Marks, rows: readonly ListedLearner[]): 'all' | 'some' | 'none' => {
  const count = rows.filter(({ userId }) => marks.has(userId)).length
  if (count === 0) return 'none'
  return count === rows.length ? 'all' : 'some'
}

export const withMarked = (marks: Marks, rows: readonly ListedLearner[]): Marks => {
  const next = new Map(marks)
  for (const row of rows) if (next.size < learnerLimits.marked || next.has(row.userId)) next.set(row.userId, row)
  return next
}

export const withoutMarked = (marks: Marks, ids: Iterable<UserId>): Marks => {
  const next = new Map(marks)
  for (const id of ids) next.delete(id)
  return next
}

/** The marks with what a later answer says of the learners. */
export const refreshed = (marks: Marks, rows: readonly ListedLearner[]): Marks => {
  const known = rows.filter(({ userId }) => marks.has(userId))
  return known.length === 0 ? marks : withMarked(marks, known)
}
