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

/** Reads current and deleted programs. */
export const createProgramReader = (readModel: Reading) => {
  let list: { readonly version: string; readonly programs: Promise<readonly Program[]> } | undefined

  /** Returns the documents in the given order; undefined for an unknown program. */
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
    // A program that is deleted between the two reads still has its document.
    return found.flatMap((document) =>
      document === undefined || document.removedAt !== null ? [] : [document.program],
    )
  }

  return {
    documents,
    /** Undefined for an unknown or deleted program. */
    get: async (id: ProgramRecordId): Promise<Program | undefined> => {
      const [document] = await documents([id])
      return document?.removedAt === null ? document.program : undefined
    },
    /**
     * All programs in the order of creation. The list is read often and changes rarely, so it is cached until a
     * program changes. Concurrent reads share one query.
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
