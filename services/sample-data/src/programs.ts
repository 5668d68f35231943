import { programDecider, programsStreamId } from '@portal/catalog/program/decider'
import {
  defaultRegistrationFee,
  defaultSemesterCount,
  type Program,
  programCodeSchema,
} from '@portal/contracts/catalog/program'
import { factIdSchema, type ProgramRecordId, programRecordIdSchema, toolIdSchema } from '@portal/contracts/shared/ids'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import { minorTracks, toolLogos, type Track } from './minor-tracks.ts'

const semesterFee = '₹15,000'
const programFee = '₹45,000'
const collegeName = 'Technical institute'
const eligibility =
  'Undergraduate students and working professionals who have passed Class 12 with mathematics. No programming experience is required: the first semester starts from the beginning.'

/** Derives the ids from the program code and the index, so that every seeding means the same programs. */
const toProgram = ({ code, name, detail, tools, facts }: Track): Program => ({
  _id: programRecordIdSchema.parse(deterministicEventId('seeded-program', code)),
  programId: programCodeSchema.parse(code),
  programName: name,
  detail,
  semesterCount: defaultSemesterCount,
  fee: programFee,
  collegeName,
  eligibility,
  semesters: Array.from({ length: defaultSemesterCount }, () => ({ fee: semesterFee })),
  enrollmentDetails: { fee: defaultRegistrationFee },
  toolkit: tools.map((tool) => ({
    _id: toolIdSchema.parse(deterministicEventId('seeded-tool', code, tool)),
    name: toolLogos[tool],
    logoUrl: `/media/tools/${tool}.svg`,
  })),
  facts: facts.map(({ content, highlight }, index) => ({
    _id: factIdSchema.parse(deterministicEventId('seeded-fact', code, String(index))),
    content,
    imageUrl: '',
    highlight,
  })),
})

export const seededPrograms: readonly Program[] = minorTracks.map(toProgram)

/**
 * Records the sample programs that this portal never had, and returns the ids of those that exist now. A repetition
 * changes nothing, and restores none that an admin removed.
 */
export const seedPrograms = async (eventStore: EventStore): Promise<readonly ProgramRecordId[]> => {
  const command = { type: 'SeedPrograms', programs: seededPrograms } as const
  const seeded = await handleCommand(eventStore, programDecider, programsStreamId, command, {
    eventId: (index) => deterministicEventId('seeded-programs', String(index)),
  })
  if (!seeded.ok) throw new Error(`failed to record the sample programs: ${seeded.error}`)
  const { programs } = seeded.value.state
  return seededPrograms.map(({ _id }) => _id).filter((id) => programs.has(id))
}
