import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import { programNotFound, tooManyEnrollments } from '@portal/contracts/catalog/errors'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import type { ProgramReader } from '../program/program-reader.ts'
import type { EnrollmentReader } from './enrollment-reader.ts'
import { enrollmentsProjection } from './projection.ts'
import type { RecordEnrollment } from './record-enrollment.ts'

type EnrollDeps = {
  readonly recordEnrollment: RecordEnrollment
  readonly readModel: Pick<Checkpoints, 'whenApplied'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
  readonly programs: Pick<ProgramReader, 'get'>
  readonly enrollments: Pick<EnrollmentReader, 'get'>
}

/** Records an enrollment once and waits until the learner's list shows it. */
export const createEnroll =
  ({ recordEnrollment, readModel, clockAndIds, programs, enrollments }: EnrollDeps) =>
  async (
    userId: UserId,
    programId: ProgramRecordId,
    metadata: EventMetadata,
  ): Promise<Result<Enrollment, ApiError>> => {
    // Check first: an enrollment stays valid after its program is deleted.
    const listed = await enrollments.get(userId, programId)
    if (listed !== undefined) return ok(listed)
    const program = await programs.get(programId)
    if (program === undefined) return rejected(programNotFound)

    const enrolledAt = clockAndIds.now().toISOString()
    const { programName } = program
    const known = await recordEnrollment.load(userId)
    const handled = await recordEnrollment.record(
      { type: 'Enroll', userId, programId, programName, enrolledAt },
      { known, metadata },
    )
    if (!handled.ok) return rejected(tooManyEnrollments)
    const { position, state } = handled.value
    if (position !== undefined) {
      await waitForProjection(readModel, {
        projection: enrollmentsProjection,
        partition: bucketKey(userId),
        eventPosition: position,
      })
    }
    // If two processes append concurrently, the log keeps one event and reports success to both.
    const kept = position === undefined ? state : (await recordEnrollment.load(userId)).state
    const recorded = kept.get(programId)
    if (recorded === undefined) throw new Error('the recorded enrollment is missing from the state')
    return ok({ ...recorded.enrollment, programName, withdrawnAt: null })
  }
export type Enroll = ReturnType<typeof createEnroll>
