import { type Program, type ProgramBody, programCodeSchema } from '@portal/contracts/catalog/program'
import type { FactId, ProgramRecordId, ToolId } from '@portal/contracts/shared/ids'

/** `newId` is used if the program does not have the item yet. */
type SentTool = ProgramBody['toolkit'][number] & { readonly newId: ToolId }
type SentFact = ProgramBody['facts'][number] & { readonly newId: FactId }

/** The body of a save. `programId` is the program's code, or empty. */
export type ProgramContent = Omit<ProgramBody, 'toolkit' | 'facts'> & {
  readonly toolkit: readonly SentTool[]
  readonly facts: readonly SentFact[]
}

type Identified = { readonly _id: string }
type Sent<T extends Identified> = { readonly _id?: string | undefined; readonly newId: T['_id'] }

/** Returns the id that the item already has in the program. Each id is kept once; other items get their `newId`. */
const reuseIds = <T extends Identified>(known: readonly T[]) => {
  const left = new Map<string, T['_id']>(known.map(({ _id }) => [_id, _id]))
  return ({ _id = '', newId }: Sent<T>): T['_id'] => {
    const kept = left.get(_id)
    left.delete(_id)
    return kept ?? newId
  }
}

/** Builds the program to save. Tools and facts that `before` already has keep their ids. */
export const toProgram = (
  id: ProgramRecordId,
  code: string,
  { toolkit, facts, ...fields }: ProgramContent,
  before?: Program,
): Program => {
  const toolIdOf = reuseIds(before?.toolkit ?? [])
  const factIdOf = reuseIds(before?.facts ?? [])
  return {
    _id: id,
    ...fields,
    programId: programCodeSchema.parse(code),
    toolkit: toolkit.map((tool) => ({ _id: toolIdOf(tool), name: tool.name, logoUrl: tool.logoUrl })),
    facts: facts.map((fact) => ({
      _id: factIdOf(fact),
      content: fact.content,
      imageUrl: fact.imageUrl,
      highlight: fact.highlight,
    })),
  }
}
