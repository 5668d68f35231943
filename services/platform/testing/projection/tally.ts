import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { z } from 'zod'
import type { ReadStore } from '../../src/read-model/port.ts'
import type { Projection } from '../../src/projection/projection.ts'

/** A small projection for tests: counts and lists the numbers of each key; a partition for all keys of one first letter. */
export const noteSchema = z.object({ key: z.string(), n: z.number() })
const headSchema = z.object({ count: z.number(), sum: z.number() })

const tallyPartition = (key: string): string => key.slice(0, 1)

export const tally = (isPoison: (n: number) => boolean = () => false): Projection => ({
  name: 'tally',
  topics: ['notifications'],
  partitionOf: ({ key, type }) => (type === 'Ignored' ? undefined : tallyPartition(key)),
  async apply(envelope, view) {
    const { key, n } = noteSchema.parse(envelope.data)
    if (isPoison(n)) throw new Error(`cannot take ${n}`)
    const known = await view.get({ partition: tallyPartition(key), collection: 'head', key })
    const head = headSchema.parse(known ?? { count: 0, sum: 0 })
    const count = head.count + 1
    return [
      { op: 'put', collection: 'head', key, value: { count, sum: head.sum + n } },
      { op: 'add', list: `numbers:${key}`, member: envelope.id, score: count, value: n },
    ]
  },
})

export const noteEnvelope = (index: number, key: string, n: number): Envelope => ({
  id: `note-${index}`,
  topic: 'notifications',
  key,
  position: `${String(index).padStart(8, '0')}:00`,
  type: 'Noted',
  at: '2026-11-21T10:00:00.000Z',
  data: { key, n },
})

/** The documents and lists of these keys. */
export const tallyOf = (readModel: ReadStore, keys: readonly string[]) =>
  Promise.all(
    keys.map(async (key) => {
      const partition = tallyPartition(key)
      return {
        key,
        head: await readModel.get({ partition, collection: 'head', key }),
        numbers: await readModel.range(partition, `numbers:${key}`, { order: 'ascending', limit: 1_000 }),
      }
    }),
  )

export const numbersOf = async (readModel: ReadStore, key: string): Promise<readonly unknown[]> => {
  const entries = await readModel.range(tallyPartition(key), `numbers:${key}`, { order: 'ascending', limit: 1_000 })
  return entries.map(({ value }) => value)
}
