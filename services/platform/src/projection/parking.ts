import { envelopeSchema, type Envelope } from '@portal/contracts/shared/event-envelope'
import { z } from 'zod'
import type { Json } from '../event-store/port.ts'
import type { Entry, ReadModel, Write } from '../read-model/port.ts'

/**
 * Messages that cannot be applied are parked in the partition they belong to, in the same commit that moves the
 * position past them, and later messages of their key wait behind them. retry-parked.ts takes them up again.
 */
export const parkingLimits = {
  /** A partition with more than that stops its projection: so much is no longer one bad message. */
  perPartition: 10_000,
  reasonChars: 1_000,
} as const

const headSchema = z.object({
  arrivals: z.number().int(),
  /** How many messages of a key are parked; none for keys that are free. */
  keys: z.array(z.tuple([z.string(), z.number().int().positive()])),
})

/** What is parked in a partition, in short. */
export type ParkingHead = { readonly arrivals: number; readonly keys: ReadonlyMap<string, number> }

const parkedSchema = z.object({ envelope: envelopeSchema, reason: z.string() })
export type Parked = { readonly partition: string; readonly envelope: Envelope; readonly reason: string }

const headCollection = 'parking'
export const parkedList = (projection: string): string => `parked:${projection}`

export const loadParkingHead = async (
  readModel: Pick<ReadModel, 'get'>,
  projection: string,
  partition: string,
): Promise<ParkingHead> => {
  return headFrom(await readModel.get({ partition, collection: headCollection, key: projection }))
}

/** Of several partitions, in their order. */
export const loadParkingHeads = async (
  readModel: Pick<ReadModel, 'getMany'>,
  projection: string,
  partitions: readonly string[],
): Promise<readonly ParkingHead[]> => {
  const refs = partitions.map((partition) => ({ partition, collection: headCollection, key: projection }))
  return (await readModel.getMany(refs)).map(headFrom)
}

const headFrom = (stored: unknown): ParkingHead => {
  const { arrivals, keys } = headSchema.parse(stored ?? { arrivals: 0, keys: [] })
  return { arrivals, keys: new Map(keys) }
}

const putHead = (projection: string, head: ParkingHead): Write => ({
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

const countOf = (head: ParkingHead): number => [...head.keys.values()].reduce((sum, count) => sum + count, 0)

export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, parkingLimits.reasonChars)

export type ParkingChange = { readonly head: ParkingHead; readonly writes: readonly Write[] }

/** Throws when the partition holds too many already. */
export const park = (projection: string, head: ParkingHead, envelope: Envelope, reason: string): ParkingChange => {
  if (countOf(head) >= parkingLimits.perPartition) {
    throw new Error(`${projection} has ${parkingLimits.perPartition} parked messages in one partition and stops`)
  }
  const next = { arrivals: head.arrivals + 1, keys: recount(head.keys, envelope.key, 1) }
  // What came over the bus is JSON; the envelope's type says 'unknown' because nobody has parsed it yet.
  const value = { envelope, reason } as Json
  const parked: Write = {
    op: 'add',
    list: parkedList(projection),
    member: envelope.position,
    score: next.arrivals,
    value,
  }
  return { head: next, writes: [parked, putHead(projection, next)] }
}

export const unpark = (projection: string, head: ParkingHead, envelope: Envelope): ParkingChange => {
  const next = { arrivals: head.arrivals, keys: recount(head.keys, envelope.key, -1) }
  const removed: Write = { op: 'remove', list: parkedList(projection), member: envelope.position }
  // Of the last one nothing stays behind, so that a rebuild, which never parked it, finds the same.
  const isLast = next.keys.size === 0
  return { head: next, writes: [removed, isLast ? deleteHead(projection) : putHead(projection, next)] }
}

const deleteHead = (projection: string): Write => ({ op: 'delete', collection: headCollection, key: projection })

export const parkedFrom = (partition: string, { value }: Entry): Parked => ({
  partition,
  ...parkedSchema.parse(value),
})
