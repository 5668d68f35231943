import { randomUUID } from 'node:crypto'
import { replaceableStore, testPublisher, counted } from '@portal/platform/testing/bus/log-with-messages'
import fc from 'fast-check'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { until } from '../../testing/until.ts'
import { describeDiscontinuities, watchContinuity } from '../discontinuity/continuity.ts'
import { createLogGuard } from '../discontinuity/log-guard.ts'
import { ForeignLogError, identityStream } from '../discontinuity/log-identity.ts'
import type { NewEvent } from '../event-store/port.ts'
import { openSqliteEventStore } from '../event-store/sqlite.ts'
import { planRepair } from '../generations/repair.ts'
import { runConsumer } from '../generations/run-consumer.ts'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import { openInProcessBus } from './in-process.ts'

const logger = pino({ level: 'silent' })
const reactor = 'recorder'

type Recorded = { readonly stream: string; readonly event: NewEvent }

const named = (): Recorded => ({ stream: identityStream, event: { id: randomUUID(), type: 'Named', data: {} } })
const numbered = (n: number): Recorded => ({
  stream: 'test-1',
  event: { id: randomUUID(), type: 'Tested', data: counted(n) },
})
const numberedFrom = (first: number, count: number): readonly Recorded[] =>
  Array.from({ length: count }, (_, n) => numbered(first + n))

const storeOf = async (log: readonly Recorded[]) => {
  const store = openSqliteEventStore({ path: ':memory:' })
  for (const { stream, event } of log) await store.append(stream, 'any', [event])
  return store
}

const anyExchange = fc.record({
  kind: fc.constantFrom('newer' as const, 'older' as const, 'other' as const, 'empty' as const),
  events: fc.integer({ min: 1, max: 6 }),
})
type Exchange = typeof anyExchange extends fc.Arbitrary<infer T> ? T : never

/** A portal with one consumer, whose event store can be exchanged. */
const startWorld = async () => {
  let log: readonly Recorded[] = [named(), ...numberedFrom(0, 8)]
  const { store: exchangeable, replaceWith } = replaceableStore(await storeOf(log))
  const control = openSqliteReadModel({ path: ':memory:', namespace: 'control' })
  const continuity = await watchContinuity({ control, process: 'portal', logger })
  const guard = createLogGuard({ address: 'the address', logger })
  const store = guard.protect(exchangeable)
  await guard.expect({ control, hasData: async () => true })
  const bus = await openInProcessBus({ eventStore: store, publishers: [testPublisher], logger })
  let handled: string[] = []
  const handle = async ({ id }: { readonly id: string }) => void handled.push(id)
  const consumer = await runConsumer({
    name: reactor,
    topics: ['notifications'],
    bus,
    readModel: control,
    continuity,
    logger,
    handle,
  })

  const report = async (): Promise<string> => {
    await store.check().catch(() => undefined)
    return guard.problem() ?? describeDiscontinuities(continuity)[0] ?? 'ok'
  }
  const untilReported = (line: RegExp) => until(async () => expect(await report()).toMatch(line))
  const messages = () => log.filter(({ stream }) => stream === 'test-1').length
  const untilAllHandled = () => until(() => expect(new Set(handled).size).toBe(messages()))
  const tryAppend = () => store.append('test-2', 'any', [numbered(0).event])

  /** As `make replay`. */
  const repair = async () => {
    handled = []
    const otherConsumers = { reactors: [reactor], logPublishers: [] }
    await (await planRepair({ control, log: store, otherConsumers })).complete([])
    await continuity.refresh()
  }
  await untilAllHandled()

  return {
    async exchange({ kind, events }: Exchange) {
      if (kind === 'newer') {
        log = [...log, ...numberedFrom(log.length, events)]
        replaceWith(await storeOf(log))
        await untilReported(/^ok$/)
      } else if (kind === 'older') {
        // At least one event of those that the consumer has handled is missing.
        log = log.slice(0, Math.max(1, log.length - events))
        replaceWith(await storeOf(log))
        await untilReported(/^event-log halted since .*Run: make replay$/)
        await repair()
      } else {
        const foreign = await storeOf(kind === 'other' ? [named(), ...numberedFrom(0, events)] : [])
        const end = await foreign.end()
        replaceWith(foreign)
        await untilReported(kind === 'other' ? /^The event store at .* is another portal's / : /^The .* is empty, but/)
        expect(await report()).not.toContain('make replay')
        await expect(tryAppend()).rejects.toThrow(ForeignLogError)
        expect(await foreign.end()).toBe(end)
        replaceWith(await storeOf(log))
      }
      await untilReported(/^ok$/)
      await untilAllHandled()
      expect(await report()).toBe('ok')
      // Otherwise 'older' has nothing to lose.
      if (messages() === 0) await this.exchange({ kind: 'newer', events })
    },
    async stop() {
      await consumer.stop()
      await bus.close()
      await continuity.close()
      await control.close()
    },
  }
}

it('PJ-18, PJ-31 and PJ-32 health tells an older, a newer, another and an empty event store apart', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyExchange, { minLength: 1, maxLength: 4 }), async (exchanges) => {
      const world = await startWorld()
      for (const each of exchanges) await world.exchange(each)
      await world.stop()
    }),
    {
      numRuns: 8,
      examples: [[(['newer', 'older', 'other', 'empty'] as const).map((kind) => ({ kind, events: 2 }))]],
    },
  )
}, 120_000)
