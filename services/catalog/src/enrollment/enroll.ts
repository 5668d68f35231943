import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import { programNotFound, tooManyEnrollments } from '@portal/contracts/catalog/errors'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import { createKeyedMutex } from '@portal/platform/async/keyed-mutex'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import type { ProgramReader } from '../program/program-reader.ts'
import { type EnrollmentCommand, enrollmentDecider } from './decider.ts'
import type { EnrollmentReader } from './enrollment-reader.ts'
import { enrollmentsProjection } from './projection.ts'

/** The same for every attempt, so that the event store detects a retry. */
export const enrollmentEventId = ({ userId, programId }: EnrollmentCommand): string =>
  deterministicEventId('enrollment', userId, programId)

type EnrollDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly readModel: Pick<Checkpoints, 'whenApplied'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
  readonly programs: Pick<ProgramReader, 'get'>
  readonly enrollments: Pick<EnrollmentReader, 'get'>
}

/** Records an enrollment once and waits until the learner's list shows it. */
export const createEnroll = ({ eventStore, readModel, clockAndIds, programs, enrollments }: EnrollDeps) => {
  const runExclusive = createKeyedMutex()

  return async (
    userId: UserId,
    programId: ProgramRecordId,
    metadata: EventMetadata,
  ): Promise<Result<Enrollment, ApiError>> => {
    // Check first: an enrollment stays valid after its program is deleted.
    const known = await enrollments.get(userId, programId)
    if (known !== undefined) return ok(known)
    const program = await programs.get(programId)
    if (program === undefined) return rejected(programNotFound)

    const enrolledAt = clockAndIds.now().toISOString()
    const { programName } = program
    const command: EnrollmentCommand = { type: 'Enroll', userId, programId, programName, enrolledAt }
    const handled = await runExclusive(userId, () =>
      handleCommand(eventStore, enrollmentDecider, userId, command, {
        eventId: () => enrollmentEventId(command),
        metadata,
      }),
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
    const kept = position === undefined ? state : (await loadState(eventStore, enrollmentDecider, userId)).state
    const recorded = kept.get(programId)
    if (recorded === undefined) throw new Error('the recorded enrollment is missing from the state')
    const { userId: _, ...enrollment } = recorded
    return ok({ ...enrollment, programName, withdrawnAt: null })
  }
}
export type Enroll = ReturnType<typeof createEnroll>
