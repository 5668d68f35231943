import { createInTurn } from '../../decider/in-turn.ts'
import { EventIdReusedError, EventStoreUnavailableError, StoreOverloadedError } from '../errors.ts'
import type { Appended, Conflict, ExpectedRevision } from '../port.ts'
import type { SerialisedAppend } from '../serialise-append.ts'
import type { Engine, EngineRecord } from './client.ts'
import { createInFlight } from './in-flight.ts'
import type { KnownStream, KnownStreams } from './known-streams.ts'
import { type Place, positionOf } from './place.ts'
import { piecesOf, recordsOf } from './reading.ts'

const waitingLimits = { appends: 10_000, jsonBytes: 64 * 1024 * 1024 } as const
const sentLimits = { calls: 64, bytes: 4 * 1024 * 1024 } as const
/** So many times another process may be faster before an append with 'any' gives up. */
const mostRaces = 100

const fits = (expected: ExpectedRevision, last: number): boolean =>
  expected === 'any' || (expected === 'no-stream' ? last === -1 : expected === last)

export type Appending = {
  append(stream: string, expected: ExpectedRevision, append: SerialisedAppend): Promise<Appended | Conflict>
  /** Resolves when no append is under way any more. */
  idle(): Promise<void>
}

/**
 * Every append goes to EventStoreDB with the exact revision it was judged at, 'any' too: so a repetition after an unknown outcome
 * can never be recorded twice, and whoever comes second is refused. What EventStoreDB does not look at, the ids that
 * the stream has already, is known here: of each stream in use all ids are kept, and what others have appended since is
 * read when a refusal tells of it.
 */
export const appending = (engine: Engine, known: KnownStreams, onAppended: (place: Place) => void): Appending => {
  const inTurn = createInTurn()
  const inFlight = createInFlight(sentLimits)
  const underWay = new Set<Promise<unknown>>()
  let waitingBytes = 0

  /** Reads what is not known yet of the stream. */
  const refresh = async (stream: string, state: KnownStream): Promise<void> => {
    for await (const { revision, id } of recordsOf(engine, stream, state.last + 1)) state.learn(revision, id)
  }

  const placeAt = async (stream: string, revision: number): Promise<Place> => {
    const found = await engine.patiently(async (): Promise<EngineRecord | undefined> => {
      for await (const record of piecesOf(engine.readStream(stream, revision, 1))) return record
      return undefined
    })
    if (found === undefined) throw new EventStoreUnavailableError()
    return found.place
  }

  /** The answer of the first time, when the stream has all ids; an error when it has some; undefined when it has none. */
  const earlierAnswer = async (
    stream: string,
    state: KnownStream,
    { events }: SerialisedAppend,
  ): Promise<Appended | undefined> => {
    const found = events.flatMap(({ id }) => state.revisionOf(id) ?? [])
    if (found.length === 0) return undefined
    if (found.length < events.length) {
      throw new EventIdReusedError(`Some of the events of an append to ${stream} are recorded and some are not`)
    }
    const revision = Math.max(...found)
    return { kind: 'appended', revision, position: positionOf(await placeAt(stream, revision)) }
  }

  const appendInTurn = async (
    stream: string,
    expected: ExpectedRevision,
    append: SerialisedAppend,
  ): Promise<Appended | Conflict> => {
    // Of a stream that is to be new nothing has to be read: if it is not, EventStoreDB says so.
    const isNew = known.get(stream) === undefined
    const state = known.begin(stream)
    if (isNew && expected !== 'no-stream') await refresh(stream, state)
    let isUpToDate = false
    for (let races = 0; races < mostRaces; races++) {
      const earlier = await earlierAnswer(stream, state, append)
      if (earlier !== undefined) return earlier
      const { last } = state
      if (fits(expected, last)) {
        const answer = await inFlight(append.jsonBytes, () =>
          engine.patiently(() => engine.append(stream, last, append.events)),
        )
        if (answer.kind === 'written') {
          append.events.forEach(({ id }, index) => state.learn(last + 1 + index, id))
          const place = answer.place ?? (await placeAt(stream, answer.revision))
          onAppended(place)
          return { kind: 'appended', revision: answer.revision, position: positionOf(place) }
        }
      } else if (isUpToDate) return { kind: 'conflict', actualRevision: last === -1 ? 'no-stream' : last }
      await refresh(stream, state)
      isUpToDate = true
    }
    throw new EventStoreUnavailableError()
  }

  return {
    append: async (stream, expected, append) => {
      if (underWay.size >= waitingLimits.appends || waitingBytes + append.jsonBytes > waitingLimits.jsonBytes) {
        throw new StoreOverloadedError()
      }
      const work = inTurn(stream, () => appendInTurn(stream, expected, append))
      underWay.add(work)
      waitingBytes += append.jsonBytes
      try {
        return await work
      } finally {
        underWay.delete(work)
        waitingBytes -= append.jsonBytes
      }
    },
    idle: async () => {
      await Promise.allSettled(underWay)
    },
  }
}
