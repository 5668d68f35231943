import { semesterName } from '@portal/contracts/catalog/enrollment'
import type { ListedLearner } from '@portal/contracts/notifications/learners'
import type { UserId } from '@portal/contracts/shared/ids'

/** 2 for 'Semester 2'; undefined for any other text. */
const numberOf = (semester: string): number | undefined => {
  const number = Number(/\d+$/.exec(semester)?.[0])
  return semesterName(number) === semester ? number : undefined
}

export type SemesterPlan = {
  /** The members of each semester that go to the next one, by its number. */
  readonly groups: ReadonlyMap<number, readonly UserId[]>
  /** How many are in the last semester. */
  readonly staying: number
}

/** Who goes to the next semester, from the lowest on. */
export const planSemesters = (learners: readonly ListedLearner[], semesterCount: number): SemesterPlan => {
  const groups = new Map<number, UserId[]>()
  for (const { userId, currentSemester } of learners) {
    const number = numberOf(currentSemester)
    if (number === undefined || number >= semesterCount) continue
    groups.set(number, [...(groups.get(number) ?? []), userId])
  }
  const going = [...groups.values()].reduce((total, members) => total + members.length, 0)
  return { groups: new Map([...groups].toSorted(([a], [b]) => a - b)), staying: learners.length - going }
}
