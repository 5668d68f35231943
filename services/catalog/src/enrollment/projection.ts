import { catalogEventSchema, enrollmentsProjectionRef } from '@portal/contracts/catalog/events'
import { enrollmentSchema } from '@portal/contracts/catalog/enrollment'
import type { ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import type { Projection, ReadModelView } from '@portal/platform/projection/projection'
import type { Write } from '@portal/platform/read-model/port'
import type { z } from 'zod'

const readEvent = storedEventReader(catalogEventSchema)

/**
 * Stored in the partition of the learner's bucket, which is the message key. Members are program ids; scores are in
 * the order of enrollment.
 */
export const enrollmentList = (userId: UserId): string => `enrollments:${userId}`

/** The program's later changes are joined on read, because they belong to another partition. */
export const enrollmentEntrySchema = enrollmentSchema.omit({ programId: true, withdrawnAt: true })
type EnrollmentEntry = z.infer<typeof enrollmentEntrySchema>

const enrollmentTypes: ReadonlySet<string> = new Set(['LearnerEnrolled', 'EnrollmentChanged', 'EnrollmentEnded'])

const entryOf = ({
  programName,
  currentSemester,
  paymentStatus,
  enrolledAt,
  feeAccount,
}: EnrollmentEntry): EnrollmentEntry => ({
  programName,
  currentSemester,
  paymentStatus,
  enrolledAt,
  ...(feeAccount && { feeAccount }),
})

type Enrolled = { readonly userId: UserId; readonly programId: ProgramRecordId; readonly entry: EnrollmentEntry }

/** A new enrollment comes first in the list, a known one keeps its place. */
const put = async (
  { userId, programId: member, entry: value }: Enrolled,
  key: string,
  view: ReadModelView,
): Promise<Write> => {
  const list = enrollmentList(userId)
  const known = await view.entry(key, list, member)
  if (known) return { op: 'add', list, member, score: known.score, value }
  const [last] = await view.range(key, list, { order: 'descending', limit: 1 })
  return { op: 'add', list, member, score: (last?.score ?? 0) + 1, value }
}

export const enrollmentsProjection: Projection = {
  ...enrollmentsProjectionRef,
  topics: ['catalog'],
  partitionOf: ({ type, key }) => (enrollmentTypes.has(type) ? key : undefined),

  apply: async ({ key, type, data }, view) => {
    const event = readEvent({ type, data })
    switch (event.type) {
      case 'LearnerEnrolled': {
        const { userId, programId } = event.data
        if ((await view.entry(key, enrollmentList(userId), programId)) !== undefined) return []
        return [await put({ userId, programId, entry: entryOf(event.data) }, key, view)]
      }
      case 'EnrollmentChanged': {
        const { userId, enrollment } = event.data
        return [await put({ userId, programId: enrollment.programId, entry: entryOf(enrollment) }, key, view)]
      }
      case 'EnrollmentEnded':
        return [{ op: 'remove', list: enrollmentList(event.data.userId), member: event.data.programId }]
      default:
        throw new Error(`${type} is not an enrollment event`)
    }
  },
}
