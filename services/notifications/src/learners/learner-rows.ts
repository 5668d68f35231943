import { firstSemester } from '@portal/contracts/catalog/enrollment'
import type { ListedLearner } from '@portal/contracts/notifications/learners'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import type { ReadStore } from '@portal/platform/read-model/port'
import { accountStateOf, presentPerson, type RankedPerson } from '../audience/indexed-person.ts'
import type { PeopleSnapshot } from '../audience/people-index.ts'
import { enrolledPartition } from '@portal/contracts/notifications/events'
import {
  type EnrollmentEntry,
  enrollmentEntrySchema,
  enrollmentList,
  enrollmentMember,
} from '../audience/projection.ts'

type LearnerRowsDeps = { readonly readModel: Pick<ReadStore, 'entries'> }

const presentEnrollment = ({ paymentStatus, currentSemester, feeAccount, enrolledAt }: EnrollmentEntry) => ({
  paymentStatus,
  currentSemester: currentSemester ?? firstSemester,
  enrolledAt: enrolledAt ?? new Date(0).toISOString(),
  ...(feeAccount && { feeAccount }),
})

/** Reads what only a page needs of enrollments, which the index therefore does not keep. */
export const createLearnerRows = ({ readModel }: LearnerRowsDeps) => {
  const readBucket = async (bucket: string, programId: ProgramRecordId, userIds: readonly UserId[]) => {
    const members = userIds.map((userId) => ({ list: enrollmentList, member: enrollmentMember({ userId, programId }) }))
    const entries = await readModel.entries(enrolledPartition(bucket), members)
    return entries.flatMap((entry) => (entry ? [enrollmentEntrySchema.parse(entry.value)] : []))
  }

  /** Leaves out learners who were erased, or whose enrollment ended, since they were selected. At most 1,000. */
  return async (
    programId: ProgramRecordId,
    learners: readonly RankedPerson[],
    { person }: Pick<PeopleSnapshot, 'person'>,
  ): Promise<ListedLearner[]> => {
    const inBuckets = Map.groupBy(
      learners.map(({ userId }) => userId),
      bucketKey,
    )
    const read = [...inBuckets].map(([bucket, userIds]) => readBucket(bucket, programId, userIds))
    const entries = new Map((await Promise.all(read)).flat().map((entry) => [entry.userId, entry]))
    return learners.flatMap((learner) => {
      const { profile } = learner
      const entry = entries.get(learner.userId)
      if (profile === undefined || entry === undefined) return []
      const { userId, fullName, personalEmail, universityName, studentCode } = presentPerson(learner, profile)
      const { enrolledBy } = entry
      return [
        {
          userId,
          fullName,
          personalEmail,
          universityName,
          studentCode,
          state: accountStateOf(learner),
          ...presentEnrollment(entry),
          ...(enrolledBy !== undefined && { enrolledBy: person(enrolledBy)?.fullName ?? '' }),
        },
      ]
    })
  }
}
export type LearnerRows = ReturnType<typeof createLearnerRows>
