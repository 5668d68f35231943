import { boundedCache } from '../../cache/bounded-cache.ts'
import { textOf, textsOf } from './client.ts'
import type { Connection } from './connection.ts'
import { type NamespaceKeys, positionField } from './keys.ts'

const positionsKept = 100_000
const cursorsKept = 10_000
const comparedConcurrently = 500

type Position = { readonly projection: string; readonly partition: string; readonly position: string }
type Cursor = { readonly consumer: string; readonly busPartition: string; readonly cursor: string }

/** The result of comparing the server's data with the progress that this connection has seen. */
export type ProgressComparison =
  | { readonly kind: 'same' }
  | { readonly kind: 'older'; readonly what: string }
  | { readonly kind: 'lost'; readonly what: string }

export type ProgressTracker = {
  /** False if a higher position was seen before. */
  sawPosition(projection: string, partition: string, position: string): boolean
  highest(projection: string, partition: string): string | undefined
  /** The cursor that was last read or saved. */
  sawCursor(consumer: string, busPartition: string, cursor: string): void
  clear(): void
  compare(during: number): Promise<ProgressComparison>
}

const same: ProgressComparison = { kind: 'same' }

// The length keeps ('a', 'bc') and ('ab', 'c') apart.
const keyOf = (first: string, second: string): string => `${first.length}:${first}${second}`

const firstChange = async <Each>(
  all: readonly Each[],
  compare: (each: Each) => Promise<ProgressComparison>,
): Promise<ProgressComparison> => {
  for (let from = 0; from < all.length; from += comparedConcurrently) {
    const found = await Promise.all(all.slice(from, from + comparedConcurrently).map(compare))
    const change = found.find(({ kind }) => kind === 'lost') ?? found.find(({ kind }) => kind === 'older')
    if (change !== undefined) return change
  }
  return same
}

/** Tracks the positions and cursors of this connection. They never decrease, so a lower one means that the server holds older data. */
export const createProgressTracker = (connection: Connection, keys: NamespaceKeys, epoch: string): ProgressTracker => {
  const positions = boundedCache<string, Position>(positionsKept)
  const cursors = boundedCache<string, Cursor>(cursorsKept)

  /** A partition gets its epoch before the registry lists it as begun, so a single server that went back has neither or both. */
  const compareEpoch = async (
    partition: string,
    found: string | undefined,
    during: number,
  ): Promise<ProgressComparison> => {
    if (found === epoch) return same
    const lost = { kind: 'lost', what: `partition '${partition}' has lost its data` } as const
    if (found !== undefined) return lost
    const { meta } = keys.of(partition)
    const begun = textOf(await connection.send(keys.partitions, ['HGET', keys.partitions, partition], during))
    // Another process may have begun it again between the two reads.
    const isThere = begun === '1' && textOf(await connection.send(meta, ['HGET', meta, 'epoch'], during)) === epoch
    if (begun === '1' && !isThere) return lost
    return { kind: 'older', what: `partition '${partition}' existed before and does not now` }
  }

  const comparePartition = async (
    partition: string,
    seen: readonly Position[],
    during: number,
  ): Promise<ProgressComparison> => {
    const { meta } = keys.of(partition)
    const fields = seen.map(({ projection }) => positionField(projection))
    const [epochThere, ...found] = textsOf(await connection.send(meta, ['HMGET', meta, 'epoch', ...fields], during))
    const change = await compareEpoch(partition, epochThere, during)
    if (change.kind !== 'same') return change
    for (const [index, { projection, position }] of seen.entries()) {
      const there = found[index]
      if (there !== undefined && there >= position) continue
      return { kind: 'older', what: `${projection} in '${partition}' was at ${position} and is at ${there ?? 'none'}` }
    }
    return same
  }

  const compareConsumer = async (
    consumer: string,
    seen: readonly Cursor[],
    during: number,
  ): Promise<ProgressComparison> => {
    const key = keys.cursors(consumer)
    const fields = seen.map(({ busPartition }) => busPartition)
    const found = textsOf(await connection.send(key, ['HMGET', key, ...fields], during))
    for (const [index, { busPartition, cursor }] of seen.entries()) {
      const there = found[index]
      if (there !== undefined && there >= cursor) continue
      const what = `the cursor of ${consumer} in '${busPartition}' was ${cursor} and is ${there ?? 'none'}`
      return { kind: 'older', what }
    }
    return same
  }

  return {
    sawPosition(projection, partition, position) {
      const key = keyOf(projection, partition)
      const known = positions.get(key)?.position
      if (known === position) return true
      if (known !== undefined && known > position) return false
      positions.set(key, { projection, partition, position })
      return true
    },
    highest: (projection, partition) => positions.get(keyOf(projection, partition))?.position,
    sawCursor(consumer, busPartition, cursor) {
      // On a cluster cursors are on another node than their data, so they show nothing about it.
      if (!connection.isCluster) cursors.set(keyOf(consumer, busPartition), { consumer, busPartition, cursor })
    },
    clear() {
      positions.clear()
      cursors.clear()
    },
    async compare(during) {
      const partitions = [...Map.groupBy(positions.values(), ({ partition }) => partition)]
      const consumers = [...Map.groupBy(cursors.values(), ({ consumer }) => consumer)]
      const change = await firstChange(partitions, ([name, seen]) => comparePartition(name, seen, during))
      if (change.kind !== 'same') return change
      return firstChange(consumers, ([name, seen]) => compareConsumer(name, seen, during))
    },
  }
}
