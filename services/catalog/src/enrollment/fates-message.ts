import { learnerChanges, learnerChangeWords, type LearnerRow } from '@portal/contracts/catalog/learners'

type ChangeFate = (typeof learnerChanges)[number]

const counted = (count: number, fate: ChangeFate | undefined): string => {
  const noun = fate === 'confirmed' ? 'payment' : 'learner'
  return `${count} ${count === 1 ? noun : `${noun}s`}`
}

/** '1 learner enrolled, 3 invited, 2 not changed'. */
export const fatesMessage = (rows: readonly Pick<LearnerRow, 'fate'>[]): string => {
  const changes = learnerChanges.flatMap((fate) => {
    const count = rows.filter((row) => row.fate === fate).length
    return count === 0 ? [] : [{ fate, count, text: learnerChangeWords[fate] }]
  })
  const unchanged = rows.length - changes.reduce((total, { count }) => total + count, 0)
  const parts = unchanged === 0 ? changes : [...changes, { fate: undefined, count: unchanged, text: 'not changed' }]
  return parts.map(({ fate, count, text }, n) => `${n === 0 ? counted(count, fate) : count} ${text}`).join(', ')
}
