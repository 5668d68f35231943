import { LRUCache } from 'lru-cache'
import { EventIdReusedError } from '../errors.ts'
import type { Appended } from '../port.ts'
import type { SerializedAppend } from '../serialize-append.ts'
import type { Engine, EngineRecord } from './client.ts'
import type { Continuity } from './continuity.ts'
import { formatPosition } from './log-position.ts'
import { readNewestRecords, readRecord, readRecords } from './read.ts'
import type { Attempt } from './append-with-retry.ts'

/** Of all streams together, where those that were used last stay, and of one; some 100 bytes each. */
const knownLimits = { ids: 200_000, idsOfStream: 10_000 } as const
/** So many records of a stream are read at most, however long it is. */
const mostRead = 1_000

/** What this process knows of a stream: the ids of its newest events, up to `last`. Others may have appended since. */
type KnownStream = {
  /** -1 without events. */
  readonly last: number
  /** Of the event there. */
  readonly lastId: string | undefined
  revisionOf(id: string): number | undefined
  /** Takes note of the event behind the last one; others change nothing. */
  learn(revision: number, id: string): void
}

export type KnownStreams = {
  get(stream: string): KnownStream | undefined
  /** In place of what was known: its newest events, oldest first. Good to use also after it has been dropped. */
  begin(stream: string, newest?: readonly Pick<EngineRecord, 'revision' | 'id'>[]): KnownStream
  forgetAll(): void
}

export const knownStreams = (): KnownStreams => {
  type Held = { readonly known: KnownStream; readonly ids: ReadonlyMap<string, number> }
  const sizeCalculation = ({ ids }: Held) => Math.max(1, ids.size)
  const held = new LRUCache<string, Held>({ maxSize: knownLimits.ids, sizeCalculation })

  return {
    get: (stream) => held.get(stream)?.known,
    begin: (stream, newest = []) => {
      // In the order of their revisions, as a map keeps them.
      const ids = new Map<string, number>()
      let last = (newest[0]?.revision ?? 0) - 1
      let lastId: string | undefined
      const known: KnownStream = {
        get last() {
          return last
        },
        get lastId() {
          return lastId
        },
        revisionOf: (id) => ids.get(id),
        learn: (revision, id) => {
          if (revision !== last + 1) return
          last = revision
          lastId = id
          ids.set(id, revision)
          const oldest = ids.keys().next()
          if (ids.size > knownLimits.idsOfStream && oldest.done !== true) ids.delete(oldest.value)
          // Its size has changed.
          if (held.peek(stream)?.known === known) held.set(stream, { known, ids })
        },
      }
      held.set(stream, { known, ids })
      for (const { revision, id } of newest) known.learn(revision, id)
      return known
    },
    forgetAll: () => held.clear(),
  }
}

type Deps = { readonly engine: Engine; readonly known: KnownStreams; readonly continuity: Continuity }

/** Keeps what is known of a stream in step with what other processes append to it. */
export const createStreamCatchUp = ({ engine, known, continuity }: Deps) => {
  const load = async (stream: string): Promise<KnownStream> =>
    known.begin(stream, await readNewestRecords(engine, stream, mostRead))

  /** Reads the events behind the last known one; undefined when the stream no longer has that one. */
  const readOn = async (stream: string, state: KnownStream): Promise<KnownStream | undefined> => {
    let count = 0
    for await (const { revision, id } of readRecords(engine, stream, state.last)) {
      if (count === 0 && id !== state.lastId) return undefined
      if (count > mostRead) return load(stream)
      state.learn(revision, id)
      count += 1
    }
    return count === 0 ? undefined : state
  }

  const refresh = async (stream: string, state: KnownStream): Promise<KnownStream> => {
    if (state.last === -1) return load(stream)
    let read: KnownStream | undefined
    const what = `revision ${state.last} of ${stream} is missing from the log`
    const look = async (): Promise<boolean> => (read = await readOn(stream, state)) !== undefined
    await continuity.isMissing(what, look)
    return read ?? load(stream)
  }

  /**
   * The answer of the first time, when the stream has all ids; an error when it has some; undefined when it has none. 'gone' when it
   * had them.
   */
  const earlierAnswer = async (
    stream: string,
    state: KnownStream,
    { events }: SerializedAppend,
    attempt: Attempt,
  ): Promise<Appended | 'gone' | undefined> => {
    const found = events.flatMap(({ id }) => {
      const revision = state.revisionOf(id)
      return revision === undefined ? [] : [{ id, revision }]
    })
    const last = found.toSorted((a, b) => b.revision - a.revision)[0]
    if (last === undefined) return undefined
    if (found.length < events.length) {
      throw new EventIdReusedError(`Some of the events of an append to ${stream} are recorded and some are not`)
    }
    // It is on record, so no failure to read it may look as if it were not.
    attempt.mayBeRecorded = true
    const record = await readRecord(engine, stream, last.revision)
    if (record?.id !== last.id) {
      attempt.mayBeRecorded = false
      return 'gone'
    }
    return { kind: 'appended', revision: last.revision, position: formatPosition(record.position) }
  }

  return { load, refresh, earlierAnswer }
}
