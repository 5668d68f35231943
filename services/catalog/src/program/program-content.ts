import type { Program, ProgramBody } from '@portal/contracts/catalog/program'
import type { FactId, ProgramId, ToolId } from '@portal/contracts/shared/ids'

/** As an admin sent it, with the id it gets if the program does not have it already. */
type SentTool = ProgramBody['toolkit'][number] & { readonly newId: ToolId }
type SentFact = ProgramBody['facts'][number] & { readonly newId: FactId }

/** A whole program, as an admin sent it. Its `programId` is the code, and may be empty. */
export type ProgramContent = Omit<ProgramBody, 'toolkit' | 'facts'> & {
  readonly toolkit: readonly SentTool[]
  readonly facts: readonly SentFact[]
}

type Identified = { readonly _id: string }
type Sent<T extends Identified> = { readonly _id?: string | undefined; readonly newId: T['_id'] }

/** The id that an item has in the program already, once; else the new one that came with it. */
const keepIds = <T extends Identified>(known: readonly T[]) => {
  const left = new Map<string, T['_id']>(known.map(({ _id }) => [_id, _id]))
  return ({ _id = '', newId }: Sent<T>): T['_id'] => {
    const kept = left.get(_id)
    left.delete(_id)
    return kept ?? newId
  }
}

/** The program that was sent, with `before`'s ids for those tools and facts that it had already. */
export const toProgram = (
  id: ProgramId,
  code: string,
  { toolkit, facts, ...fields }: ProgramContent,
  before?: Program,
): Program => {
  const toolIdOf = keepIds(before?.toolkit ?? [])
  const factIdOf = keepIds(before?.facts ?? [])
  return {
    _id: id,
    ...fields,
    programId: code,
    toolkit: toolkit.map((tool) => ({ _id: toolIdOf(tool), name: tool.name, logoUrl: tool.logoUrl })),
    facts: facts.map((fact) => ({
      _id: factIdOf(fact),
      content: fact.content,
      imageUrl: fact.imageUrl,
      highlight: fact.highlight,
    })),
  }
}
