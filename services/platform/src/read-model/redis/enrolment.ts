import { LRUCache } from 'lru-cache'
import { randomUUID } from 'node:crypto'
import { ReadModelEmptiedError } from '../emptied.ts'
import type { Connection } from './connection.ts'
import type { NamespaceKeys } from './keys.ts'
import { listOf, textOf } from './replies.ts'
import { script } from './script.ts'

/** Raised when the layout changes: a read model of another layout is rebuilt, never migrated. */
const layoutVersion = '1'
const partitionsRemembered = 100_000

const placeOf = (projection: string, partition: string): string => `${projection.length}:${projection}${partition}`

/** KEYS: marker, partitions. ARGV: layout, epoch, now. Makes the marker where nothing is; answers layout and epoch. */
const openScript = script(`
if redis.call('EXISTS', KEYS[1], KEYS[2]) == 0 then
  redis.call('HSET', KEYS[1], 'layout', ARGV[1], 'epoch', ARGV[2], 'createdAt', ARGV[3])
end
return redis.call('HMGET', KEYS[1], 'layout', 'epoch')
`)

/** KEYS: marker, partitions. ARGV: epoch, partition. Answers 'gone', 'sealed', or what is known of the partition. */
const announceScript = script(`
local marker = redis.call('HMGET', KEYS[1], 'epoch', 'sealed')
if marker[1] ~= ARGV[1] then return 'gone' end
if marker[2] then return 'sealed' end
redis.call('HSETNX', KEYS[2], ARGV[2], '0')
return redis.call('HGET', KEYS[2], ARGV[2])
`)

/** KEYS: meta. ARGV: epoch, what is known of the partition. What had begun and is not there any more is gone. */
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

export type Enrolment = {
  readonly epoch: string
  /**
   * Before the first commit to a partition: announces it, so that whoever seals the namespace finds it, and only then
   * looks whether it has been sealed.
   */
  enrol(partition: string): Promise<'begun' | 'sealed'>
  /** Whether `enrol` would answer 'begun' from memory. */
  isEnrolled(partition: string): boolean
  /** Remembers that the projection has a position there, which never goes away by itself. */
  saw(projection: string, partition: string): void
  hasSeen(projection: string, partition: string): boolean
  /** What has been found to be gone stays so for this connection. */
  gone(what: string): ReadModelEmptiedError
  /** Rejects when the namespace is not the one that was opened. */
  check(): Promise<void>
}

/**
 * Each namespace has an epoch, a random text given at its making, that every partition repeats. A server that was emptied, or
 * one node of a cluster that lost its data, has no epoch or another one, and scripts that expect this one change nothing.
 */
export const openNamespace = async (
  connection: Connection,
  keys: NamespaceKeys,
  namespace: string,
): Promise<Enrolment> => {
  const newMarker = [layoutVersion, randomUUID(), new Date().toISOString()]
  const [layout, epoch] = listOf(await connection.run(openScript, [keys.marker, keys.partitions], newMarker)).map(
    textOf,
  )
  if (epoch === undefined) throw new ReadModelEmptiedError(namespace, 'its marker is gone and its partitions are not')
  if (layout !== layoutVersion) {
    throw new Error(
      `Read model '${namespace}' has layout ${layout}, this version uses ${layoutVersion}; have it rebuilt`,
    )
  }

  const begun = new LRUCache<string, true>({ max: partitionsRemembered })
  const seen = new LRUCache<string, true>({ max: partitionsRemembered })
  const underWay = new Map<string, Promise<'begun' | 'sealed'>>()
  let emptied: ReadModelEmptiedError | undefined

  const gone = (what: string) => (emptied ??= new ReadModelEmptiedError(namespace, what))

  const begin = async (partition: string): Promise<'begun' | 'sealed'> => {
    const registry = [keys.marker, keys.partitions] as const
    const known = textOf(await connection.run(announceScript, registry, [epoch, partition]))
    if (known === 'sealed') return 'sealed'
    if (known === 'gone') throw gone('it is not the one that was opened')
    const answer = await connection.run(beginScript, [keys.of(partition).meta], [epoch, known ?? '0'])
    if (answer !== 'begun') throw gone(`partition '${partition}' has lost its data`)
    if (known === '0') await connection.run(begunScript, registry, [epoch, partition])
    begun.set(partition, true)
    return 'begun'
  }

  return {
    epoch,
    isEnrolled: (partition) => emptied === undefined && begun.has(partition),
    async enrol(partition) {
      if (emptied !== undefined) throw emptied
      if (begun.has(partition)) return 'begun'
      const known = underWay.get(partition)
      if (known !== undefined) return known
      const beginning = begin(partition).finally(() => underWay.delete(partition))
      underWay.set(partition, beginning)
      return beginning
    },
    saw(projection, partition) {
      const place = placeOf(projection, partition)
      // Most have been seen before, and a look costs less than a note.
      if (!seen.has(place)) seen.set(place, true)
    },
    hasSeen: (projection, partition) => seen.has(placeOf(projection, partition)),
    gone,
    async check() {
      if (emptied !== undefined) throw emptied
      const found = textOf(await connection.send(keys.marker, ['HGET', keys.marker, 'epoch']))
      if (found !== epoch) throw gone(found === undefined ? 'its marker is gone' : 'it was made anew')
    },
  }
}
