import type { Program } from '@portal/contracts/catalog/program'
import { type ProgramRecordId, programRecordIdSchema } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import type { ActiveGeneration } from '@portal/platform/generations/active-generation'
import {
  type ProgramDocument,
  programDocumentSchema,
  programList,
  programRef,
  programsHeadRef,
  programsHeadSchema,
  programsPartition,
} from './projection.ts'

type Reading = Pick<ActiveGeneration, 'current' | 'get' | 'getMany' | 'range'>

/** Programs as they are, and as they last were. */
export const createProgramReader = (readModel: Reading) => {
  let list: { readonly version: string; readonly programs: Promise<readonly Program[]> } | undefined

  /** In the order asked; undefined for one that never was. */
  const documents = async (ids: readonly ProgramRecordId[]): Promise<readonly (ProgramDocument | undefined)[]> =>
    ids.length === 0
      ? []
      : (await readModel.getMany(ids.map(programRef))).map((found) =>
          found === undefined ? undefined : programDocumentSchema.parse(found),
        )

  const readAll = async (): Promise<readonly Program[]> => {
    const range = { order: 'ascending', limit: limits.programs } as const
    const entries = await readModel.range(programsPartition, programList, range)
    const found = await documents(entries.map(({ member }) => programRecordIdSchema.parse(member)))
    // One that was removed between the two reads has its document still.
    return found.flatMap((document) =>
      document === undefined || document.removedAt !== null ? [] : [document.program],
    )
  }

  return {
    documents,
    /** Undefined for one that never was, and for one that was removed. */
    get: async (id: ProgramRecordId): Promise<Program | undefined> => {
      const [document] = await documents([id])
      return document?.removedAt === null ? document.program : undefined
    },
    /**
     * All there are, in the order in which they were added. Everybody asks for them and they seldom change, so the list is kept
     * for as long as nothing happened, and read once however many ask at a time.
     */
    all: async (): Promise<readonly Program[]> => {
      const { name: generation } = readModel.current()
      const head = await readModel.get(programsHeadRef)
      if (head === undefined) return []
      const version = `${generation} ${programsHeadSchema.parse(head).changes}`
      if (list?.version === version) return list.programs
      const programs = readAll()
      const kept = { version, programs }
      list = kept
      programs.catch(() => {
        if (list === kept) list = undefined
      })
      return programs
    },
  }
}
export type ProgramReader = ReturnType<typeof createProgramReader>
