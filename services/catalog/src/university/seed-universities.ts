import { universityIdSchema } from '@portal/contracts/shared/ids'
import { deterministicEventId, eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import { universitiesStreamId, universityDecider } from './decider.ts'

/** Fictional names, so that registration on a new portal has choices until an admin adds real ones. */
export const seedUniversityNames = [
  'Eastbrook University',
  'Institute of Applied Sciences, Lakeside',
  'Northfield Institute of Technology',
  'Riverside College of Engineering',
  'Westhill University of Technology',
] as const

/** Ids derive from the names, so that concurrent processes record the same universities. */
const universities = seedUniversityNames.map((name) => ({
  universityId: universityIdSchema.parse(deterministicEventId('first-university', name)),
  name,
}))

/** Seeds a new portal. Does nothing if any university was ever recorded. */
export const createSeedUniversities =
  ({ eventStore }: { readonly eventStore: EventStore }) =>
  async (): Promise<void> => {
    await handleCommand(
      eventStore,
      universityDecider,
      universitiesStreamId,
      { type: 'SeedUniversities', universities },
      { eventId: eventIdsOf('first-universities') },
    )
  }
export type SeedUniversities = ReturnType<typeof createSeedUniversities>
