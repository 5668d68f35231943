import { enrollmentDecider } from '@portal/catalog/enrollment/decider'
import { enrollmentEventId } from '@portal/catalog/enrollment/record-enrollment'
import { programDecider, programsStreamId } from '@portal/catalog/program/decider'
import type { ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'

type SampleEnrollment = { readonly userId: UserId; readonly programId: ProgramRecordId }

/** Concurrent appends; the store groups them into one transaction. */
const concurrency = 32

/** Enrolls three in five learners, spread over the programs; one in six of those in a second program. */
export const sampleEnrollments = (
  learners: readonly UserId[],
  programs: readonly ProgramRecordId[],
): readonly SampleEnrollment[] =>
  learners.flatMap((userId, learner) => {
    if (learner % 5 > 2) return []
    const indices = learner % 10 === 1 ? [learner, learner + 1] : [learner]
    const chosen = new Set(indices.flatMap((index) => programs[index % programs.length] ?? []))
    return [...chosen].map((programId) => ({ userId, programId }))
  })

/** Records enrollments directly in the log. Existing enrollments are kept. */
export const seedEnrollments = async (
  { eventStore, clockAndIds }: { readonly eventStore: EventStore; readonly clockAndIds: Pick<ClockAndIds, 'now'> },
  enrollments: readonly SampleEnrollment[],
): Promise<void> => {
  const { programs } = (await loadState(eventStore, programDecider, programsStreamId)).state
  const commands = enrollments.map(({ userId, programId }) => {
    const program = programs.get(programId)
    if (program === undefined) throw new Error(`There is no program ${programId}`)
    return { type: 'Enroll', userId, programId, programName: program.programName } as const
  })
  for (let from = 0; from < commands.length; from += concurrency) {
    await Promise.all(
      commands.slice(from, from + concurrency).map(async (wanted) => {
        const command = { ...wanted, enrolledAt: clockAndIds.now().toISOString() }
        const options = { eventId: () => enrollmentEventId(command) }
        const enrolled = await handleCommand(eventStore, enrollmentDecider, command.userId, command, options)
        if (!enrolled.ok) throw new Error(`A learner was not enrolled: ${enrolled.error.reason}`)
      }),
    )
  }
}
