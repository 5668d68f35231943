import type { Program } from '@portal/contracts/catalog/program'
import { factIdSchema, programIdSchema, toolIdSchema } from '@portal/contracts/shared/ids'

const uuid = (kind: number, n: number) => `0193000${kind}-0000-7000-8000-${String(n).padStart(12, '0')}`

export const programId = (n: number) => programIdSchema.parse(uuid(1, n))

export const aTool = (n: number, name = `Tool ${n}`) => ({
  _id: toolIdSchema.parse(uuid(2, n)),
  name,
  logoUrl: `/logos/${n}.svg`,
})

export const aFact = (n: number, content = `Fact ${n}`) => ({
  _id: factIdSchema.parse(uuid(3, n)),
  content,
  imageUrl: '',
  highlight: '',
})

/** A programme with so many tools and facts. */
export const aProgram = (
  n: number,
  {
    tools = 0,
    facts = 0,
    ...given
  }: Partial<Omit<Program, 'toolkit' | 'facts'>> & { tools?: number; facts?: number } = {},
): Program => ({
  _id: programId(n),
  programId: `MP-${n}`,
  programName: `Program ${n}`,
  detail: '',
  semesterCount: 3,
  fee: '₹45,000',
  collegeName: '',
  eligibility: '',
  semesters: [],
  enrollmentDetails: { fee: '1000' },
  toolkit: Array.from({ length: tools }, (_, i) => aTool(i + 1)),
  facts: Array.from({ length: facts }, (_, i) => aFact(i + 1)),
  ...given,
})
