import type { LearnerFilter, LearnerSort } from '@portal/contracts/notifications/learners'
import type { ProgramRecordId } from '@portal/contracts/shared/ids'
import { searchWords } from '@portal/contracts/shared/search-text'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import { unsorted } from '../audience/bucket-people.ts'
import type { IndexedEnrollment, ProgramLearners, RankedPerson } from '../audience/indexed-person.ts'
import type { PeopleSnapshot } from '../audience/people-index.ts'
import { groupedBy } from '../audience/people-orders.ts'

type Learners = readonly RankedPerson[]

export type SelectedLearners = {
  /** All whom the filter selects, in its order. The profile of a user who is erased meanwhile disappears. */
  readonly learners: Learners
  /** Of all learners of the program. */
  readonly counts: { readonly all: number; readonly pending: number; readonly completed: number }
}

/** Whether a filter selects a learner with this enrollment. */
const conditionOf = ({ q = '', paymentStatus, semester }: LearnerFilter) => {
  const words = searchWords(q)
  return ({ profile }: RankedPerson, enrollment: IndexedEnrollment): boolean =>
    (paymentStatus === undefined || enrollment.paymentStatus === paymentStatus) &&
    (semester === undefined || enrollment.semester === semester) &&
    words.every((word) => profile?.searchKey.includes(word))
}

/** What the lists of the index are not sorted by: a number of each enrollment. */
const numberFor = (sort: LearnerSort): ((learners: ProgramLearners, index: number) => number) | undefined => {
  switch (sort) {
    case 'enrolled':
      return ({ enrolledAtMs }, index) => enrolledAtMs[index] ?? 0
    case '-enrolled':
      return ({ enrolledAtMs }, index) => -(enrolledAtMs[index] ?? 0)
    case 'payment':
      return ({ enrollments }, index) => (enrollments[index]?.paymentStatus === 'Pending' ? 0 : 1)
    case '-payment':
      return ({ enrollments }, index) => (enrollments[index]?.paymentStatus === 'Pending' ? 1 : 0)
    case 'semester':
      return ({ enrollments }, index) => enrollments[index]?.semester ?? 0
    case '-semester':
      return ({ enrollments }, index) => -(enrollments[index]?.semester ?? 0)
    default:
      return undefined
  }
}

const universityKey = ({ profile }: RankedPerson): string => profile?.university.key ?? ''

type Found = { readonly people: Learners; readonly numbers: readonly number[] }

const arrange = ({ people, numbers }: Found, sort: LearnerSort, snapshot: PeopleSnapshot): Learners => {
  const { sorted, sortedByNumber } = snapshot
  switch (sort) {
    case 'name':
    case 'email':
      return sorted(sort, people)
    case '-name':
      return sorted('name', people).toReversed()
    case '-email':
      return sorted('email', people).toReversed()
    case 'university':
      return sorted('name', ...groupedBy(people, universityKey))
    case '-university':
      return sorted('name', ...groupedBy(people, universityKey).toReversed())
    default:
      return sortedByNumber(people, numbers)
  }
}

/** Selects learners of a program, and counts all. */
export const selectLearners = async (
  { programId, ...filter }: LearnerFilter & { readonly programId: ProgramRecordId },
  snapshot: PeopleSnapshot,
): Promise<SelectedLearners> => {
  const isSelected = conditionOf(filter)
  const numberOf = numberFor(filter.sort)
  const [people, numbers]: [RankedPerson[], number[]] = [[], []]
  let [all, pending] = [0, 0]
  for (const learners of snapshot.learnersOf(programId)) {
    await yieldToEventLoop()
    for (const [index, person] of learners.people.entries()) {
      const enrollment = learners.enrollments[index]
      if (enrollment === undefined || person.profile === undefined || person.rank === unsorted) continue
      all += 1
      if (enrollment.paymentStatus === 'Pending') pending += 1
      if (!isSelected(person, enrollment)) continue
      people.push(person)
      if (numberOf) numbers.push(numberOf(learners, index))
    }
  }
  const learners = arrange({ people, numbers }, filter.sort, snapshot)
  return { learners, counts: { all, pending, completed: all - pending } }
}
