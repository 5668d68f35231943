import type { PersonalEnrollment } from '@portal/contracts/notifications/people'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { PeopleIndex } from './people-index.ts'
import { enrolledPartition } from '@portal/contracts/notifications/events'
import { enrollmentEntrySchema, enrollmentList, enrollmentMember } from './projection.ts'

type PersonEnrollmentsDeps = {
  readonly readModel: Pick<ReadStore, 'entries'>
  readonly people: Pick<PeopleIndex, 'snapshot'>
}

/** Reads the enrollments of a user in the order of enrollment. */
export const createPersonEnrollments =
  ({ readModel, people }: PersonEnrollmentsDeps) =>
  async (userId: UserId): Promise<PersonalEnrollment[]> => {
    const { programs, enrollmentsOf } = await people.snapshot()
    const lists = enrollmentsOf(userId).map(({ programId }) => ({
      list: enrollmentList,
      member: enrollmentMember({ userId, programId }),
    }))
    const entries = await readModel.entries(enrolledPartition(bucketKey(userId)), lists)
    return entries.flatMap((entry) => {
      if (!entry) return []
      const {
        programId,
        paymentStatus,
        programName = '',
        currentSemester = '',
        feeAccount,
      } = enrollmentEntrySchema.parse(entry.value)
      const name = programs.get(programId) ?? programName
      return [{ programId, programName: name, currentSemester, paymentStatus, ...(feeAccount && { feeAccount }) }]
    })
  }
export type PersonEnrollments = ReturnType<typeof createPersonEnrollments>
