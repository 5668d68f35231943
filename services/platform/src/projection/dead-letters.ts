import { envelopeSchema, type Envelope } from '@portal/contracts/shared/event-envelope'
import { z } from 'zod'
import type { Json } from '../event-store/port.ts'
import { compareAndSet } from '../read-model/compare-and-set.ts'
import type { Entry, ReadStore, Write } from '../read-model/port.ts'
import type { ProjectionData } from './projection.ts'

/**
 * A message that cannot be applied becomes a dead letter of its partition, in the commit that moves the position past it. Later
 * messages of its key wait behind it. retry-dead-letters.ts applies them. Collections, lists and registers keep their recorded names.
 */
export const deadLetterLimits = {
  /** More dead letters in a partition stop its projection, because they have more than one cause. */
  perPartition: 10_000,
  reasonChars: 1_000,
} as const

const headSchema = z.object({
  arrivals: z.number().int(),
  /** The number of dead letters of each key that has any. */
  keys: z.array(z.tuple([z.string(), z.number().int().positive()])),
})

/** The number of dead letters of each key in a partition, and the last number given to one. */
export type DeadLetterHead = { readonly arrivals: number; readonly keys: ReadonlyMap<string, number> }

const deadLetterSchema = z.object({ envelope: envelopeSchema, reason: z.string() })
export type DeadLetter = { readonly partition: string; readonly envelope: Envelope; readonly reason: string }

const headCollection = 'parking'
export const deadLetterList = (projection: string): string => `parked:${projection}`

export const loadDeadLetterHead = async (
  readModel: ReadStore,
  projection: string,
  partition: string,
): Promise<DeadLetterHead> => {
  return headFrom(await readModel.get({ partition, collection: headCollection, key: projection }))
}

/** The heads of several partitions, in the same order. */
export const loadDeadLetterHeads = async (
  readModel: ReadStore,
  projection: string,
  partitions: readonly string[],
): Promise<readonly DeadLetterHead[]> => {
  const refs = partitions.map((partition) => ({ partition, collection: headCollection, key: projection }))
  return (await readModel.getMany(refs)).map(headFrom)
}

const headFrom = (stored: unknown): DeadLetterHead => {
  const { arrivals, keys } = headSchema.parse(stored ?? { arrivals: 0, keys: [] })
  return { arrivals, keys: new Map(keys) }
}

const putHead = (projection: string, head: DeadLetterHead): Write => ({
  op: 'put',
  collection: headCollection,
  key: projection,
  value: { arrivals: head.arrivals, keys: [...head.keys].map(([key, count]) => [key, count] as const) },
})

const recount = (keys: ReadonlyMap<string, number>, key: string, by: 1 | -1): ReadonlyMap<string, number> => {
  const count = (keys.get(key) ?? 0) + by
  const next = new Map(keys)
  if (count > 0) next.set(key, count)
  else next.delete(key)
  return next
}

const countOf = (head: DeadLetterHead): number => [...head.keys.values()].reduce((sum, count) => sum + count, 0)

export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, deadLetterLimits.reasonChars)

type DeadLetterChange = { readonly head: DeadLetterHead; readonly writes: readonly Write[] }

/** Throws if the partition already has too many. */
export const addDeadLetter = (
  projection: string,
  head: DeadLetterHead,
  envelope: Envelope,
  reason: string,
): DeadLetterChange => {
  if (countOf(head) >= deadLetterLimits.perPartition) {
    throw new Error(`${projection} has ${deadLetterLimits.perPartition} dead letters in one partition and stops`)
  }
  const next = { arrivals: head.arrivals + 1, keys: recount(head.keys, envelope.key, 1) }
  // Messages from the bus are JSON. The type of the envelope's data is 'unknown' because it has not been parsed.
  const value = { envelope, reason } as Json
  const added: Write = {
    op: 'add',
    list: deadLetterList(projection),
    member: envelope.position,
    score: next.arrivals,
    value,
  }
  return { head: next, writes: [added, putHead(projection, next)] }
}

export const removeDeadLetter = (projection: string, head: DeadLetterHead, envelope: Envelope): DeadLetterChange => {
  const next = { arrivals: head.arrivals, keys: recount(head.keys, envelope.key, -1) }
  const removed: Write = { op: 'remove', list: deadLetterList(projection), member: envelope.position }
  // After the last one, delete the head, so that a rebuild that applies the message at once has the same contents.
  const isLast = next.keys.size === 0
  return { head: next, writes: [removed, isLast ? deleteHead(projection) : putHead(projection, next)] }
}

const deleteHead = (projection: string): Write => ({ op: 'delete', collection: headCollection, key: projection })

export const deadLetterFrom = (partition: string, { value }: Entry): DeadLetter => ({
  partition,
  ...deadLetterSchema.parse(value),
})

/**
 * The partitions in which a projection has ever had dead letters, because listing all partitions of a read model is too slow. An entry is
 * written before the dead letter, so no partition with dead letters is missing.
 */
const registerPartition = 'parking'
const registerOf = (projection: string) => `parking-register:${projection}`
const listOf = (projection: string) => `parked-partitions:${projection}`
const maxPartitions = 1_000

export const registerDeadLetters = async (
  readModel: ProjectionData,
  projection: string,
  partition: string,
): Promise<void> => {
  const list = listOf(projection)
  const register = { projection: registerOf(projection), partition: registerPartition }
  await compareAndSet(readModel, register, async (score) => {
    const isRegistered = (await readModel.entry(registerPartition, list, partition)) !== undefined
    return isRegistered ? undefined : [{ op: 'add', list, member: partition, score, value: null }]
  })
}

/** Returns at most 1,000 partitions, in the order of their first dead letter. */
export const partitionsWithDeadLetters = async (
  readModel: ReadStore,
  projection: string,
): Promise<readonly string[]> => {
  const entries = await readModel.range(registerPartition, listOf(projection), {
    order: 'ascending',
    limit: maxPartitions,
  })
  return entries.map(({ member }) => member)
}

/** How many dead letters a projection has. Costs two reads. */
export const countDeadLetters = async (readModel: ReadStore, projection: string): Promise<number> => {
  const heads = await loadDeadLetterHeads(readModel, projection, await partitionsWithDeadLetters(readModel, projection))
  return heads.reduce((sum, head) => sum + countOf(head), 0)
}
