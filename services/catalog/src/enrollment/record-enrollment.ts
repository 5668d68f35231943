import { createKeyedMutex } from '@portal/platform/async/keyed-mutex'
import { deterministicEventId, eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, loadState, type LoadedState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore, Position } from '@portal/platform/event-store/port'
import type { UserId } from '@portal/contracts/shared/ids'
import { type EnrollmentCommand, enrollmentDecider, type EnrollmentsState } from './decider.ts'

/** The same for every attempt, so that the event store detects a retry. `times`: how often the learner was enrolled before. */
export const enrollmentEventId = (
  { userId, programId }: Pick<EnrollmentCommand, 'userId' | 'programId'>,
  times = 0,
): string => deterministicEventId('enrollment', userId, programId, ...(times === 0 ? [] : [String(times)]))

export type LoadedEnrollments = LoadedState<EnrollmentsState> & {
  /** The position of each event by its id. */
  readonly positions: ReadonlyMap<string, Position>
}

type Recording = {
  /** What the command is decided on first. */
  readonly known: LoadedEnrollments
  /** Identifies the request, so that its events get the same ids again. Learners who enroll are recognized by the enrollment. */
  readonly requestId?: string
  readonly metadata: EventMetadata
}

/** Reads and changes the enrollments of a learner. */
export const createRecordEnrollment = (eventStore: Pick<EventStore, 'read' | 'append'>) => {
  const runExclusive = createKeyedMutex()

  const eventIdOf = (command: EnrollmentCommand, { known, requestId }: Omit<Recording, 'metadata'>) => {
    const { userId, programId } = command
    if (requestId !== undefined) return eventIdsOf('learner-change', requestId, userId, programId)
    return () => enrollmentEventId(command, known.state.get(programId)?.times)
  }

  return {
    load: async (userId: UserId): Promise<LoadedEnrollments> => {
      const positions = new Map<string, Position>()
      const loaded = await loadState(eventStore, enrollmentDecider, userId, (_, { id, position }) =>
        positions.set(id, position),
      )
      return { ...loaded, positions }
    },

    /** Where the command was recorded before, by the same request. */
    repeated: (command: EnrollmentCommand, recording: Omit<Recording, 'metadata'>): Position | undefined =>
      recording.known.positions.get(eventIdOf(command, recording)(0)),

    /** One at a time per learner, so that requests of this process do not conflict. */
    record: (command: EnrollmentCommand, recording: Recording) =>
      runExclusive(command.userId, () =>
        handleCommand(eventStore, enrollmentDecider, command.userId, command, {
          eventId: eventIdOf(command, recording),
          metadata: recording.metadata,
          known: recording.known,
        }),
      ),
  }
}
export type RecordEnrollment = ReturnType<typeof createRecordEnrollment>
