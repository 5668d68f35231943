import { catalogEventSchema, enrollmentsProjectionRef } from '@portal/contracts/catalog/events'
import { paymentStatusSchema } from '@portal/contracts/catalog/enrollment'
import type { UserId } from '@portal/contracts/shared/ids'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import type { Projection } from '@portal/platform/projection/projection'
import { z } from 'zod'

const readEvent = storedEventReader(catalogEventSchema)

/**
 * Stored in the partition of the learner's bucket, which is the message key. Members are program ids; scores are in
 * the order of enrollment.
 */
export const enrollmentList = (userId: UserId): string => `enrollments:${userId}`

/** The program's later changes are joined on read, because they belong to another partition. */
export const enrollmentEntrySchema = z.object({
  programName: z.string(),
  currentSemester: z.string(),
  paymentStatus: paymentStatusSchema,
  enrolledAt: z.iso.datetime(),
})
type EnrollmentEntry = z.infer<typeof enrollmentEntrySchema>

export const enrollmentsProjection: Projection = {
  ...enrollmentsProjectionRef,
  topics: ['catalog'],
  partitionOf: ({ type, key }) => (type === 'LearnerEnrolled' ? key : undefined),

  apply: async ({ key, type, data }, view) => {
    const event = readEvent({ type, data })
    if (event.type !== 'LearnerEnrolled') throw new Error(`${type} is not an enrollment event`)
    const { userId, programId: member, programName, currentSemester, paymentStatus, enrolledAt } = event.data
    const list = enrollmentList(userId)
    if ((await view.entry(key, list, member)) !== undefined) return []
    const [last] = await view.range(key, list, { order: 'descending', limit: 1 })
    const value: EnrollmentEntry = { programName, currentSemester, paymentStatus, enrolledAt }
    return [{ op: 'add', list, member, score: (last?.score ?? 0) + 1, value }]
  },
}
