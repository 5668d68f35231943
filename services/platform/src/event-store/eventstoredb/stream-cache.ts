import { LRUCache } from 'lru-cache'
import { EventIdReusedError } from '../errors.ts'
import type { Appended } from '../port.ts'
import type { SerializedAppend } from '../serialize-append.ts'
import type { Engine, EngineRecord } from './client.ts'
import type { LogRecognition } from './log-recognition.ts'
import { formatPosition } from './log-position.ts'
import { readNewestRecords, readRecord, readRecords } from './read.ts'
import type { AppendAttempt } from './append-with-retry.ts'

/** Limits in ids, about 100 bytes each: of all streams together (the least recently used are evicted), and of one stream. */
const cacheLimits = { ids: 200_000, idsOfStream: 10_000 } as const
/** The most records of a stream that are read at once. */
const maxRead = 1_000

/** The ids of a stream's newest events, up to `last`. Other processes may have appended more since. */
type CachedStream = {
  /** The last known revision; -1 for a stream without events. */
  readonly last: number
  /** The id of the event at `last`. */
  readonly lastId: string | undefined
  revisionOf(id: string): number | undefined
  /** Adds the event after `last`. Has no effect for any other revision. */
  add(revision: number, id: string): void
}

export type StreamCache = {
  get(stream: string): CachedStream | undefined
  /** Replaces the entry, given the newest events in order. The entry stays usable after its eviction. */
  replace(stream: string, newest?: readonly Pick<EngineRecord, 'revision' | 'id'>[]): CachedStream
  clear(): void
}

export const createStreamCache = (): StreamCache => {
  type Entry = { readonly cached: CachedStream; readonly ids: ReadonlyMap<string, number> }
  const sizeCalculation = ({ ids }: Entry) => Math.max(1, ids.size)
  const entries = new LRUCache<string, Entry>({ maxSize: cacheLimits.ids, sizeCalculation })

  return {
    get: (stream) => entries.get(stream)?.cached,
    replace: (stream, newest = []) => {
      // A Map keeps insertion order, which is the order of the revisions.
      const ids = new Map<string, number>()
      let last = (newest[0]?.revision ?? 0) - 1
      let lastId: string | undefined
      const cached: CachedStream = {
        get last() {
          return last
        },
        get lastId() {
          return lastId
        },
        revisionOf: (id) => ids.get(id),
        add: (revision, id) => {
          if (revision !== last + 1) return
          last = revision
          lastId = id
          ids.set(id, revision)
          const oldest = ids.keys().next()
          if (ids.size > cacheLimits.idsOfStream && oldest.done !== true) ids.delete(oldest.value)
          // Set again, because its size has changed.
          if (entries.peek(stream)?.cached === cached) entries.set(stream, { cached, ids })
        },
      }
      entries.set(stream, { cached, ids })
      for (const { revision, id } of newest) cached.add(revision, id)
      return cached
    },
    clear: () => entries.clear(),
  }
}

type StreamCatchUpDeps = { readonly engine: Engine; readonly cache: StreamCache; readonly recognition: LogRecognition }

/** Updates the cache with what other processes have appended. */
export const createStreamCatchUp = ({ engine, cache, recognition }: StreamCatchUpDeps) => {
  const load = async (stream: string): Promise<CachedStream> =>
    cache.replace(stream, await readNewestRecords(engine, stream, maxRead))

  /** Reads the events after the last known one. Undefined if the stream no longer has that one. */
  const readNewEvents = async (stream: string, cached: CachedStream): Promise<CachedStream | undefined> => {
    let count = 0
    for await (const { revision, id } of readRecords(engine, stream, cached.last)) {
      if (count === 0 && id !== cached.lastId) return undefined
      if (count > maxRead) return load(stream)
      cached.add(revision, id)
      count += 1
    }
    return count === 0 ? undefined : cached
  }

  const refresh = async (stream: string, cached: CachedStream): Promise<CachedStream> => {
    if (cached.last === -1) return load(stream)
    let read: CachedStream | undefined
    const missing = `revision ${cached.last} of ${stream} is missing from the log`
    const isPresent = async (): Promise<boolean> => (read = await readNewEvents(stream, cached)) !== undefined
    await recognition.isMissing(missing, isPresent)
    return read ?? load(stream)
  }

  /**
   * Returns the first answer if the stream has all ids of the append, and undefined if it has none. Returns 'missing' if the log
   * no longer has them. Throws EventIdReusedError if the stream has only some.
   */
  const findEarlierAppend = async (
    stream: string,
    cached: CachedStream,
    { events }: SerializedAppend,
    attempt: AppendAttempt,
  ): Promise<Appended | 'missing' | undefined> => {
    const found = events.flatMap(({ id }) => {
      const revision = cached.revisionOf(id)
      return revision === undefined ? [] : [{ id, revision }]
    })
    const last = found.toSorted((a, b) => b.revision - a.revision)[0]
    if (last === undefined) return undefined
    if (found.length < events.length) {
      throw new EventIdReusedError(`Some of the events of an append to ${stream} are recorded and some are not`)
    }
    // The append is recorded. If reading it fails, the caller must not conclude that it was not.
    attempt.mayBeRecorded = true
    const record = await readRecord(engine, stream, last.revision)
    if (record?.id !== last.id) {
      attempt.mayBeRecorded = false
      return 'missing'
    }
    return { kind: 'appended', revision: last.revision, position: formatPosition(record.position) }
  }

  return { load, refresh, findEarlierAppend }
}
