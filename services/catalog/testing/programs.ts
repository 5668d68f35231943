import { programBody, programCodeSchema, type Program, type ProgramBody } from '@portal/contracts/catalog/program'
import { factIdSchema, programRecordIdSchema, toolIdSchema } from '@portal/contracts/shared/ids'

const uuid = (kind: string, number: number) => `01980000-0000-7000-8${kind}00-${String(number).padStart(12, '0')}`
export const programIdOf = (number: number) => programRecordIdSchema.parse(uuid('a', number))
export const toolIdOf = (number: number) => toolIdSchema.parse(uuid('b', number))
export const factIdOf = (number: number) => factIdSchema.parse(uuid('c', number))

export const toolOf = (number: number) => ({
  _id: toolIdOf(number),
  name: `Tool ${number}`,
  logoUrl: `/media/tools/${number}.svg`,
})
export const factOf = (number: number) => ({
  _id: factIdOf(number),
  content: `Fact ${number}`,
  imageUrl: '',
  highlight: '',
})

/** A request body with the contract's defaults for missing fields. */
export const bodyOf = (given: Partial<ProgramBody> = {}): ProgramBody =>
  programBody.parse({ programName: 'Minor in Artificial Intelligence', ...given })

type ProgramFields = Partial<Omit<Program, 'programId'>> & { readonly programId?: string }

export const programOf = (
  number: number,
  { programId = `MIN-AI-${String(number).padStart(2, '0')}`, ...given }: ProgramFields = {},
): Program => ({
  _id: programIdOf(number),
  ...bodyOf(),
  programId: programCodeSchema.parse(programId),
  toolkit: [],
  facts: [],
  ...given,
})
