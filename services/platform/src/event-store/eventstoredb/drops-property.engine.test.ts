/** @module-tag verify */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { idsOf, newEvents, readAll } from '@portal/platform/testing/event-store/contract/harness'
import { EventStoreUnavailableError } from '../errors.ts'
import { openEventStoreDb } from '../eventstoredb.ts'
import type { Appended, Conflict, EventStore, ExpectedRevision, NewEvent, Position, RecordedEvent } from '../port.ts'
import { type ServerUnderTest, serversUnderTest, type StartServer } from '@portal/platform/testing/event-store/servers'

const step = fc.record({
  stream: fc.nat({ max: 1 }),
  count: fc.integer({ min: 1, max: 4 }),
  expects: fc.constantFrom('any' as const, 'last seen' as const),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const fault = fc.constantFrom('drop' as const, 'lose' as const, 'refuse' as const, 'kill' as const)
type Fault = typeof fault extends fc.Arbitrary<infer T> ? T : never

/** Retries until the outcome is known, like a client that must not lose anything. */
const untilKnown = async <T>(work: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof EventStoreUnavailableError)) throw error
    }
  }
}

const write = async (store: EventStore, steps: readonly Step[]) => {
  const lastSeen = new Map<string, number>()
  const recorded: NewEvent[] = []
  const refused: NewEvent[] = []
  for (const { stream, count, expects } of steps) {
    const name = `cat-${stream}`
    const expected: ExpectedRevision = expects === 'any' ? 'any' : (lastSeen.get(name) ?? 'no-stream')
    const events = newEvents(count)
    const answer: Appended | Conflict = await untilKnown(() => store.append(name, expected, events))
    if (answer.kind === 'appended') {
      recorded.push(...events)
      lastSeen.set(name, answer.revision)
    } else {
      refused.push(...events)
      if (answer.actualRevision !== 'no-stream') lastSeen.set(name, answer.actualRevision)
    }
  }
  return { recorded, refused }
}

/** Reads the log with several subscriptions, each resuming where the previous one ended, until it has read this event. */
const followUntil = async (store: EventStore, lastId: string, pieceItems: number): Promise<RecordedEvent[]> => {
  const seen: RecordedEvent[] = []
  let after: Position | 'start' = 'start'
  for (;;) {
    let left = pieceItems
    for await (const item of store.subscribe(after, { categories: ['cat'] }, new AbortController().signal)) {
      after = item.position
      if (item.kind === 'event') seen.push(item)
      if (item.kind === 'event' && item.id === lastId) return seen
      left -= 1
      if (left <= 0) break
    }
  }
}

const inject = async (server: ServerUnderTest, kind: Fault): Promise<void> => {
  if (kind === 'drop') server.drop()
  else if (kind === 'lose') server.dropResponses(2)
  else if (kind === 'refuse') {
    server.refuse()
    server.serve()
  } else {
    await server.kill()
    await server.restart()
  }
}

const holds = async (
  startServer: StartServer,
  writers: readonly (readonly Step[])[],
  faults: readonly Fault[],
  pieceItems: number,
): Promise<void> => {
  const server = await startServer()
  const { url } = server
  // EventStoreDB sees each of them as a separate process.
  const stores = await Promise.all(writers.map(() => openEventStoreDb({ url })))
  const follower = await openEventStoreDb({ url })
  try {
    const [last] = newEvents(1)
    if (last === undefined) throw new Error('No event')
    const following = followUntil(follower, last.id, pieceItems)
    const writing = Promise.all(stores.map((store, n) => write(store, writers[n] ?? [])))
    for (const kind of faults) {
      await inject(server, kind)
      await untilKnown(() => follower.end())
    }
    const outcomes = await writing
    await untilKnown(() => follower.append('cat-last', 'any', [last]))
    const seen = await following

    const recorded = idsOf(outcomes.flatMap((outcome) => outcome.recorded))
    expect(idsOf(seen).toSorted()).toEqual([...recorded, last.id].toSorted())
    for (const stream of ['cat-0', 'cat-1']) {
      const read = await untilKnown(() => readAll(follower, stream))
      expect(read.map((event) => event.revision)).toEqual(read.map((_, n) => n))
      expect(seen.filter((event) => event.stream === stream)).toEqual(read)
    }
  } finally {
    await Promise.all([...stores, follower].map((store) => store.close()))
    await server.stop()
  }
}

describe.each(serversUnderTest)('the EventStoreDB adapter and %s', (_, startServer) => {
  test('ES-70 ES-71 ES-74 under any faults, no event is lost or delivered twice, and no rejected event is recorded', async () => {
    const writers = fc.array(fc.array(step, { minLength: 5, maxLength: 25 }), { minLength: 1, maxLength: 3 })
    const faults = fc.array(fault, { minLength: 1, maxLength: 6 })
    const property = fc.asyncProperty(writers, faults, fc.integer({ min: 1, max: 30 }), (...run) =>
      holds(startServer, ...run),
    )
    await fc.assert(property, { numRuns: 12 })
  }, 240_000)
})
