import type { Fact, Program, ProgramBody, Tool } from '@portal/contracts/catalog/program'
import type { FactId, ProgramId, ToolId } from '@portal/contracts/shared/ids'

/** As an admin sent it, with the id it gets if the programme does not have it already. */
export type SentTool = ProgramBody['toolkit'][number] & { readonly newId: ToolId }
export type SentFact = ProgramBody['facts'][number] & { readonly newId: FactId }

/** A whole programme, as an admin sent it. Its `programId` is the code, and may be empty. */
export type ProgramContent = Omit<ProgramBody, 'toolkit' | 'facts'> & {
  readonly toolkit: readonly SentTool[]
  readonly facts: readonly SentFact[]
}

export type ProgramCommand =
  | {
      readonly type: 'AddProgram'
      readonly id: ProgramId
      readonly content: ProgramContent
      /** Of the request, where it came with an Idempotency-Key. */
      readonly fingerprint?: string
    }
  | {
      readonly type: 'UpdateProgram'
      readonly id: ProgramId
      readonly content: ProgramContent
      /** What the sender has seen, where that matters to them. */
      readonly basedOn?: number | undefined
    }
  | { readonly type: 'RemoveProgram'; readonly id: ProgramId; readonly removedAt: string }
  | { readonly type: 'AddTool'; readonly id: ProgramId; readonly tool: Tool }
  | { readonly type: 'RemoveTool'; readonly id: ProgramId; readonly toolId: string }
  | { readonly type: 'AddFact'; readonly id: ProgramId; readonly fact: Fact }
  | { readonly type: 'RemoveFact'; readonly id: ProgramId; readonly factId: string }
  /** Those of them that were never in the catalogue. */
  | { readonly type: 'AddFirstPrograms'; readonly programs: readonly Program[] }
