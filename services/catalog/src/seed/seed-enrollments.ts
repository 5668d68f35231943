import type { ProgramId, UserId } from '@portal/contracts/shared/ids'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { enrollmentDecider } from '../enrollment/decider.ts'
import { enrollmentEventId } from '../enrollment/enroll.ts'
import { programDecider, programsStreamId } from '../program/decider.ts'

type Deps = { readonly eventStore: EventStore; readonly clockAndIds: Pick<ClockAndIds, 'now'> }

type Entry = { readonly userId: UserId; readonly programId: ProgramId }
export type SeedEnrollments = (entries: readonly Entry[]) => Promise<void>

/** As many appends under way; the store gathers those that come together into one transaction. */
const atOnce = 32

/** Enrols learners straight in the log; who is enrolled already stays as they are. */
export const createSeedEnrollments = ({ eventStore, clockAndIds }: Deps): SeedEnrollments => {
  const enroll = async ({ userId, programId }: Entry, programName: string): Promise<void> => {
    const enrolledAt = clockAndIds.now().toISOString()
    const command = { type: 'Enroll', userId, programId, programName, enrolledAt } as const
    const options = { eventId: () => enrollmentEventId(command) }
    const enrolled = await handleCommand(eventStore, enrollmentDecider, userId, command, options)
    if (!enrolled.ok) throw new Error(`A learner was not enrolled: ${enrolled.error}`)
  }

  return async (entries) => {
    const { programs } = (await loadState(eventStore, programDecider, programsStreamId)).state
    const nameOf = (id: ProgramId): string => {
      const program = programs.get(id)
      if (program === undefined) throw new Error(`There is no programme ${id}`)
      return program.programName
    }
    const named = entries.map((entry) => ({ entry, programName: nameOf(entry.programId) }))
    for (let from = 0; from < named.length; from += atOnce) {
      const slice = named.slice(from, from + atOnce)
      await Promise.all(slice.map(({ entry, programName }) => enroll(entry, programName)))
    }
  }
}
