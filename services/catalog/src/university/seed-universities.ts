import { universityIdSchema } from '@portal/contracts/shared/ids'
import { deterministicEventId, eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import { universitiesStreamId, universityDecider } from './decider.ts'

/** Made up, so that a new portal's registration has something to choose from until its own are entered. */
export const seedUniversityNames = [
  'Eastbrook University',
  'Institute of Applied Sciences, Lakeside',
  'Northfield Institute of Technology',
  'Riverside College of Engineering',
  'Westhill University of Technology',
] as const

/** Ids that follow from the names: processes that start at once all mean the same universities. */
const universities = seedUniversityNames.map((name) => ({
  universityId: universityIdSchema.parse(deterministicEventId('first-university', name)),
  name,
}))

/** Records them in a new portal; in one that ever had any, nothing happens. */
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
