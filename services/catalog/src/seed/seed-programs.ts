import type { ProgramId } from '@portal/contracts/shared/ids'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import { programDecider, programsStreamId } from '../program/decider.ts'
import { seededPrograms } from './seeded-programs.ts'

export type SeedPrograms = () => Promise<readonly ProgramId[]>

/**
 * Records those of the Minor's programmes that this portal never had; the answer is which of them it has now. A second time changes
 * nothing, and does not bring back what an admin has removed.
 */
export const createSeedPrograms =
  ({ eventStore }: { readonly eventStore: EventStore }): SeedPrograms =>
  async () => {
    const command = { type: 'AddFirstPrograms', programs: seededPrograms } as const
    const seeded = await handleCommand(eventStore, programDecider, programsStreamId, command, {
      eventId: (index) => deterministicEventId('seeded-programs', String(index)),
    })
    if (!seeded.ok) throw new Error(`The programmes were not recorded: ${seeded.error}`)
    const { programs } = seeded.value.state
    return seededPrograms.map(({ _id }) => _id).filter((id) => programs.has(id))
  }
