import { factIdSchema } from '@portal/contracts/shared/ids'
import * as catalog from '../../../../testing/fake-catalog.ts'

export const aTool = (n: number) => ({ _id: catalog.toolIdOf(n), name: `Tool ${n}`, logoUrl: `/logos/${n}.svg` })

export const aFact = (n: number) => ({
  _id: factIdSchema.parse(`01930000-0000-7000-b000-${String(n).padStart(12, '0')}`),
  content: `Fact ${n}`,
  imageUrl: '',
  highlight: '',
})

type ProgramFields = NonNullable<Parameters<typeof catalog.aProgram>[1]>
type Fields = Omit<ProgramFields, 'toolkit' | 'facts'> & { readonly tools?: number; readonly facts?: number }

/** A program with the given numbers of tools and facts. */
export const aProgram = (n: number, { tools = 0, facts = 0, ...fields }: Fields = {}) =>
  catalog.aProgram(n, {
    toolkit: Array.from({ length: tools }, (_, i) => aTool(i + 1)),
    facts: Array.from({ length: facts }, (_, i) => aFact(i + 1)),
    ...fields,
  })
