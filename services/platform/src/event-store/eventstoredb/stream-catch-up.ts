import { EventIdReusedError } from '../errors.ts'
import type { Appended } from '../port.ts'
import type { SerialisedAppend } from '../serialise-append.ts'
import type { Engine } from './client.ts'
import type { Continuity } from './continuity.ts'
import type { KnownStream, KnownStreams } from './known-streams.ts'
import { positionOf } from './log-position.ts'
import { newestOf, recordOfStream, recordsOf } from './reading.ts'
import type { Attempt } from './settled-append.ts'

/** So many records of a stream are read at most, however long it is. */
const mostRead = 1_000

type Deps = { readonly engine: Engine; readonly known: KnownStreams; readonly continuity: Continuity }

/** Keeps what is known of a stream in step with what other processes append to it. */
export const createStreamCatchUp = ({ engine, known, continuity }: Deps) => {
  const load = async (stream: string): Promise<KnownStream> =>
    known.begin(stream, await newestOf(engine, stream, mostRead))

  /** Reads the events behind the last known one; undefined when the stream no longer has that one. */
  const readOn = async (stream: string, state: KnownStream): Promise<KnownStream | undefined> => {
    let count = 0
    for await (const { revision, id } of recordsOf(engine, stream, state.last)) {
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
    { events }: SerialisedAppend,
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
    const record = await recordOfStream(engine, stream, last.revision)
    if (record?.id !== last.id) {
      attempt.mayBeRecorded = false
      return 'gone'
    }
    return { kind: 'appended', revision: last.revision, position: positionOf(record.place) }
  }

  return { load, refresh, earlierAnswer }
}
