import { randomUUID } from 'node:crypto'
import { boundedCache } from '../../cache/bounded-cache.ts'
import { ReadModelEmptiedError } from '../errors.ts'
import { listOf, script, textOf } from './client.ts'
import type { Connection } from './connection.ts'
import type { DataLossGuard } from './data-loss-guard.ts'
import type { NamespaceKeys } from './keys.ts'

/** Raised when the layout changes. A read model of another layout is rebuilt, never migrated. */
const layoutVersion = '1'
const cachedPartitions = 100_000

/** KEYS: marker, partitions. ARGV: layout, epoch, now. Creates the marker of an empty namespace. Returns layout and epoch. */
const openScript = script(`
if redis.call('EXISTS', KEYS[1], KEYS[2]) == 0 then
  redis.call('HSET', KEYS[1], 'layout', ARGV[1], 'epoch', ARGV[2], 'createdAt', ARGV[3])
end
return redis.call('HMGET', KEYS[1], 'layout', 'epoch')
`)

/**
 * KEYS: marker, partitions. ARGV: epoch, partition, '1' to announce it also in a fenced namespace. Returns 'gone', 'sealed', or the state
 * of the partition.
 */
const announceScript = script(`
local marker = redis.call('HMGET', KEYS[1], 'epoch', 'sealed')
if marker[1] ~= ARGV[1] then return 'gone' end
if marker[2] and ARGV[3] ~= '1' then return 'sealed' end
redis.call('HSETNX', KEYS[2], ARGV[2], '0')
return redis.call('HGET', KEYS[2], ARGV[2])
`)

/** KEYS: meta. ARGV: epoch, state of the partition. A partition that had begun and has no epoch is gone. */
const beginScript = script(`
local epoch = redis.call('HGET', KEYS[1], 'epoch')
if epoch == ARGV[1] then return 'begun' end
if epoch or ARGV[2] == '1' then return 'gone' end
redis.call('HSET', KEYS[1], 'epoch', ARGV[1])
return 'begun'
`)

/** KEYS: marker, partitions. ARGV: epoch, partition. */
const begunScript = script(`
if redis.call('HGET', KEYS[1], 'epoch') == ARGV[1] then redis.call('HSET', KEYS[2], ARGV[2], '1') end
return 0
`)

/** Returns the epoch of the namespace. Creates an empty namespace. */
export const openNamespace = async (
  connection: Connection,
  keys: NamespaceKeys,
  namespace: string,
): Promise<string> => {
  const newMarker = [layoutVersion, randomUUID(), new Date().toISOString()]
  const found = listOf(await connection.send(keys.marker, ['HMGET', keys.marker, 'layout', 'epoch'])).map(textOf)
  // Writes only to a missing namespace, so that a user with read permission can open existing ones.
  const [layout, epoch] =
    found[1] === undefined
      ? listOf(await connection.run(openScript, [keys.marker, keys.partitions], newMarker)).map(textOf)
      : found
  if (epoch === undefined) throw new ReadModelEmptiedError(namespace, 'its marker is gone and its partitions are not')
  if (layout !== layoutVersion) {
    throw new Error(
      `Read model '${namespace}' has layout ${layout}, this version uses ${layoutVersion}; have it rebuilt`,
    )
  }
  return epoch
}

export type PartitionRegistry = {
  /**
   * Call it before the first commit to a partition. First announces the partition, so that a process that fences the namespace finds it.
   * Then checks for a fence.
   */
  register(partition: string, during: number): Promise<'begun' | 'fenced'>
  /** Like `register`, for writes that a fence allows. */
  begin(partition: string, during: number): Promise<void>
  /** Whether `register` would resolve 'begun' without a command. */
  isRegistered(partition: string): boolean
  clear(): void
}

/**
 * Each namespace has an epoch, a random text, which every partition repeats. A server that was emptied, or a cluster node that lost its
 * data, has no epoch or another one. Scripts that expect this epoch then change nothing.
 */
export const preparePartitionRegistry = (
  connection: Connection,
  keys: NamespaceKeys,
  guard: Pick<DataLossGuard, 'epoch' | 'markEmptied'>,
): PartitionRegistry => {
  const { epoch } = guard
  const begun = boundedCache<string, true>(cachedPartitions)
  const inFlight = new Map<string, Promise<'begun' | 'fenced'>>()
  const registry = [keys.marker, keys.partitions] as const

  const begin = async (partition: string, during: number, ignoreFence: '0' | '1'): Promise<'begun' | 'fenced'> => {
    const announcement = [epoch, partition, ignoreFence]
    const known = textOf(await connection.run(announceScript, registry, announcement, during))
    if (known === 'sealed') return 'fenced'
    if (known === 'gone') throw guard.markEmptied('it is not the one that was opened')
    const answer = await connection.run(beginScript, [keys.of(partition).meta], [epoch, known ?? '0'], during)
    if (answer !== 'begun') throw guard.markEmptied(`partition '${partition}' has lost its data`)
    if (known === '0') await connection.run(begunScript, registry, [epoch, partition], during)
    return 'begun'
  }

  const registerOnce = async (partition: string, during: number) => {
    const answer = await begin(partition, during, '0')
    if (answer === 'begun' && during === connection.lostConnections) begun.set(partition, true)
    return answer
  }

  return {
    isRegistered: (partition) => begun.has(partition),
    async register(partition, during) {
      if (begun.has(partition)) return 'begun'
      const known = inFlight.get(partition)
      if (known !== undefined) return known
      const beginning = registerOnce(partition, during).finally(() => inFlight.delete(partition))
      inFlight.set(partition, beginning)
      return beginning
    },
    async begin(partition, during) {
      // Not cached, because the next commit must check for a fence.
      await begin(partition, during, '1')
    },
    clear: () => begun.clear(),
  }
}
