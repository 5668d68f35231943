import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventStore, ExpectedRevision, NewEvent, Position, RecordedEvent } from '../../../src/event-store/port.ts'
import { type EventStoreHarness, idsOf, newEvents, readAll, record, runOnStore } from './harness.ts'

/** One append of one writer. 'last seen' may conflict; the writer then uses the actual revision. */
const step = fc.record({
  stream: fc.nat({ max: 2 }),
  count: fc.integer({ min: 1, max: 5 }),
  expects: fc.constantFrom('any' as const, 'last seen' as const),
  repeats: fc.boolean(),
  pauses: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Appends the steps and returns the acknowledged events. */
const write = async (store: EventStore, steps: readonly Step[]): Promise<NewEvent[]> => {
  const lastSeen = new Map<string, number>()
  const acknowledged: NewEvent[] = []
  for (const { stream, count, expects, repeats, pauses } of steps) {
    const name = `stream-${stream}`
    const expected: ExpectedRevision = expects === 'any' ? 'any' : (lastSeen.get(name) ?? 'no-stream')
    const events = newEvents(count)
    const answer = await store.append(name, expected, events)
    if (answer.kind === 'appended') {
      acknowledged.push(...events)
      lastSeen.set(name, answer.revision)
      if (repeats) expect(await store.append(name, expected, events)).toEqual(answer)
    } else {
      expect(answer.actualRevision).not.toBe(expected)
      if (answer.actualRevision !== 'no-stream') lastSeen.set(name, answer.actualRevision)
    }
    if (pauses) await nextTurn()
  }
  return acknowledged
}

const lastStream = 'stream-last'

/**
 * Reads the log with many subscriptions until the last stream has its event. Each is dropped after a number of items, and the next
 * resumes there.
 */
const followInPieces = async (store: EventStore, pieces: readonly number[]): Promise<RecordedEvent[]> => {
  const seen: RecordedEvent[] = []
  let after: Position | 'start' = 'start'
  for (let piece = 0; ; piece++) {
    let left = pieces[piece % pieces.length] ?? 1
    const controller = new AbortController()
    for await (const item of store.subscribe(after, 'all', controller.signal)) {
      after = item.position
      if (item.kind === 'event') {
        if (item.stream === lastStream) return seen
        seen.push(item)
      }
      left -= 1
      if (left <= 0) break
    }
    await nextTurn()
  }
}

const holds = async (
  store: EventStore,
  writers: readonly (readonly Step[])[],
  pieces: readonly number[],
): Promise<void> => {
  const following = followInPieces(store, pieces)
  const acknowledged = (await Promise.all(writers.map((steps) => write(store, steps)))).flat()
  await record(store, lastStream, newEvents(1))
  const seen = await following

  expect(idsOf(seen).toSorted()).toEqual(idsOf(acknowledged).toSorted())
  const positions = seen.map((event) => event.position)
  expect(positions).toEqual(positions.toSorted())
  for (const stream of ['stream-0', 'stream-1', 'stream-2']) {
    const read = await readAll(store, stream)
    expect(read.map((event) => event.revision)).toEqual(read.map((_, n) => n))
    expect(seen.filter((event) => event.stream === stream)).toEqual(read)
  }
}

export const concurrencyProperty = (makeHarness: () => Promise<EventStoreHarness>): void => {
  test('ES-1 ES-10 ES-33 concurrent appends give dense revisions, and a resumed subscriber gets each event once', async () => {
    const writers = fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 })
    const pieces = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(writers, pieces, (steps, lengths) =>
        runOnStore(makeHarness, ({ store }) => holds(store, steps, lengths)),
      ),
      { numRuns: 25 },
    )
  }, 240_000)
}
