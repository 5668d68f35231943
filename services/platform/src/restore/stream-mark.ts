import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { connectTo, type Engine, type EngineRecord } from '../event-store/eventstoredb/client.ts'
import { readNewestRecords, itemsOf } from '../event-store/eventstoredb/read.ts'
import { appendWithRetry } from '../event-store/eventstoredb/append-with-retry.ts'
import { type RestoreMarks, restoreMarkSchema } from './restore-mark.ts'

// Without a category, so that no subscription to the log receives it.
const stream = 'restore!state'

const stateSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('RestoreMarked'), data: restoreMarkSchema }),
  z.object({ type: z.literal('RestoreCompleted'), data: z.object({}) }),
])
type State = z.infer<typeof stateSchema>

const newest = async (engine: Engine): Promise<EngineRecord | undefined> =>
  (await readNewestRecords(engine, stream, 1)).at(0)

const change = async (engine: Engine, { type, data }: State): Promise<void> => {
  const last = (await newest(engine))?.revision ?? -1
  const event = { id: randomUUID(), type, data: JSON.stringify(data), metadata: null }
  const answer = await appendWithRetry(engine, stream, last, [event])
  if (answer.kind !== 'written') throw new Error('Another process restores into this event store')
}

/** Stores the mark as the newest event of a separate stream in EventStoreDB. */
export const streamMarks = (url: string): RestoreMarks => {
  const engine = connectTo(url)
  return {
    read: async () => {
      const record = await newest(engine)
      if (record === undefined) return undefined
      const state = stateSchema.parse({ type: record.type, data: record.data })
      return state.type === 'RestoreMarked' ? state.data : undefined
    },
    write: (mark) => change(engine, { type: 'RestoreMarked', data: mark }),
    clear: () => change(engine, { type: 'RestoreCompleted', data: {} }),
    check: async () => {
      await engine.retryShortOutages(async (leftMs) => {
        for await (const _ of itemsOf(engine.readStreamBackwards(stream, 1), leftMs)) return
      })
    },
    close: () => engine.close(),
  }
}
