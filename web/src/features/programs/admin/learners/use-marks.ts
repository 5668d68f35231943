import { learnerLimits } from '@portal/contracts/catalog/learners'
import type { ListedLearner } from '@portal/contracts/notifications/learners'
import { useCallback, useState } from 'react'
import { type Marks, markedOf, noMarks, refreshed, withMarked, withoutMarked } from './marks.ts'

/** The marked learners. They stay marked on other pages and after a refresh, which updates what is known of them. */
export const useMarks = (rows: readonly ListedLearner[]) => {
  const [marks, setMarks] = useState<Marks>(noMarks)
  const [followed, setFollowed] = useState(rows)
  if (followed !== rows) {
    setFollowed(rows)
    setMarks(refreshed(marks, rows))
  }
  // Stable, so that rows whose marks stay are not rendered again.
  const toggle = useCallback(
    (row: ListedLearner) =>
      setMarks((known) => (known.has(row.userId) ? withoutMarked(known, [row.userId]) : withMarked(known, [row]))),
    [],
  )
  return {
    marked: marks,
    onPage: markedOf(marks, rows),
    isFull: marks.size >= learnerLimits.marked,
    toggle,
    togglePage: () =>
      setMarks((known) =>
        markedOf(known, rows) === 'all'
          ? withoutMarked(
              known,
              rows.map(({ userId }) => userId),
            )
          : withMarked(known, rows),
      ),
    clear: () => setMarks(noMarks),
  }
}
export type LearnerMarks = ReturnType<typeof useMarks>
