import { defaultRegistrationFee, defaultSemesterCount, type Program } from '@portal/contracts/catalog/program'
import { factIdSchema, programIdSchema, toolIdSchema } from '@portal/contracts/shared/ids'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { minorTracks, type Track } from './minor-tracks.ts'
import { toolLogos } from './tool-logos.ts'

const semesterFee = '₹15,000'
const programFee = '₹45,000'
const collegeName = 'Technical institute'
const eligibility =
  'Undergraduate students and working professionals who have passed Class 12 with mathematics. No programming experience is required: the first semester starts from the beginning.'

/** Ids that follow from the code and the place: whoever seeds, and however often, means the same programme. */
const toProgram = ({ code, name, detail, tools, facts }: Track): Program => ({
  _id: programIdSchema.parse(deterministicEventId('seeded-program', code)),
  programId: code,
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
