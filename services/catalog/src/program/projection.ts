import { catalogEventSchema, programsProjectionRef } from '@portal/contracts/catalog/events'
import { type Program, programSchema } from '@portal/contracts/catalog/program'
import type { ProgramRecordId } from '@portal/contracts/shared/ids'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import type { Projection } from '@portal/platform/projection/projection'
import type { DocumentRef, ReadStore, Write } from '@portal/platform/read-model/port'
import { z } from 'zod'

const readEvent = storedEventReader(catalogEventSchema)

/** One partition, because readers mostly need all programs in order. Also the message key. */
export const programsPartition = 'programs'

/** Members are the ids of current programs; scores are in the order of creation. */
export const programList = 'programs'

/**
 * One document per program. The document of a deleted program stays with its last content, for the learners
 * enrolled in it.
 */
export const programDocumentSchema = z.object({ program: programSchema, removedAt: z.iso.datetime().nullable() })
export type ProgramDocument = z.infer<typeof programDocumentSchema>

export const programRef = (id: ProgramRecordId): DocumentRef => ({
  partition: programsPartition,
  collection: 'program',
  key: id,
})

/** `changes` counts all program changes, so that a reader can validate its cache. */
export const programsHeadSchema = z.object({ lastScore: z.number().int(), changes: z.number().int() })
type ProgramsHead = z.infer<typeof programsHeadSchema>
const headKey = { collection: 'programs-head', key: 'head' } as const
export const programsHeadRef: DocumentRef = { partition: programsPartition, ...headKey }

const readHead = async (view: ReadStore): Promise<ProgramsHead> => {
  const head = await view.get(programsHeadRef)
  return head === undefined ? { lastScore: 0, changes: 0 } : programsHeadSchema.parse(head)
}

const putHead = (value: ProgramsHead): Write => ({ op: 'put', ...headKey, value })

const putDocument = (program: Program, removedAt: string | null): Write => ({
  op: 'put',
  collection: 'program',
  key: program._id,
  value: { program, removedAt } satisfies ProgramDocument,
})

export const programsProjection: Projection = {
  ...programsProjectionRef,
  topics: ['catalog'],
  partitionOf: ({ key }) => (key === programsPartition ? programsPartition : undefined),

  apply: async ({ type, data }, view) => {
    const event = readEvent({ type, data })
    const { lastScore, changes: before } = await readHead(view)
    const changes = before + 1

    if (event.type === 'ProgramSaved') {
      const { program } = event.data
      const put = putDocument(program, null)
      const isListed = (await view.entry(programsPartition, programList, program._id)) !== undefined
      if (isListed) return [put, putHead({ lastScore, changes })]
      const score = lastScore + 1
      const add: Write = { op: 'add', list: programList, member: program._id, score, value: {} }
      return [put, add, putHead({ lastScore: score, changes })]
    }
    if (event.type === 'ProgramRemoved') {
      const { programId, removedAt } = event.data
      const { program } = programDocumentSchema.parse(await view.get(programRef(programId)))
      const remove: Write = { op: 'remove', list: programList, member: programId }
      return [putDocument(program, removedAt), remove, putHead({ lastScore, changes })]
    }
    throw new Error(`${type} is not a program event`)
  },
}
