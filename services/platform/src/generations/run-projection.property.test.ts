import fc from 'fast-check'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { ReadModel } from '../read-model/port.ts'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import { listDeadLetters } from '@portal/platform/testing/projection/list-dead-letters'
import { retryDeadLetters } from '../projection/retry-dead-letters.ts'
import { type RunningProjection, runProjection } from './run-projection.ts'
import { scriptedBus } from '@portal/platform/testing/projection/scripted-bus'
import { noteEnvelope, tally, tallyOf } from '@portal/platform/testing/projection/tally'

const logger = pino({ level: 'silent' })
const keys = ['a1', 'a2', 'b1', 'c1']
const poison = 13

const inMemory = () => openSqliteReadModel({ path: ':memory:', namespace: 'main' })

/** A commit succeeds, fails before it takes effect, or fails afterwards, so that its outcome is unknown. */
type Fault = 'none' | 'before' | 'after'

const withFaults = (readModel: ReadModel, nextFault: () => Fault): ReadModel => ({
  ...readModel,
  async commit(commit) {
    const fault = nextFault()
    if (fault === 'before') throw new Error('connection lost before the commit')
    const outcome = await readModel.commit(commit)
    if (fault === 'after') throw new Error('connection lost after the commit')
    return outcome
  },
  async commitAll(commits) {
    const fault = nextFault()
    if (fault === 'before') throw new Error('connection lost before the commits')
    // An adapter may have applied some of them when the connection is lost.
    const applied = fault === 'after' ? commits.slice(0, Math.ceil(commits.length / 2)) : commits
    const outcomes = await readModel.commitAll(applied)
    if (fault === 'after') throw new Error('connection lost after some of the commits')
    return outcomes
  },
})

const numbers = (values: readonly number[]) => fc.constantFrom(...values)
const logOf = (values: readonly number[], maxLength: number) =>
  fc
    .array(fc.tuple(fc.constantFrom(...keys), numbers(values)), { minLength: 1, maxLength })
    .map((notes) => notes.map(([key, n], index) => noteEnvelope(index, key, n)))

const worker = fc.integer({ min: 0, max: 1 })
const anyStep = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('deliver'), worker, count: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('deliver to both'), count: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rewind'), worker, count: fc.integer({ min: 1, max: 20 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('crash'), worker }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stop and start'), worker }) },
)
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

type Log = readonly ReturnType<typeof noteEnvelope>[]

/** Two workers on the same partitions, and the steps that happen to them. */
const twoWorkers = async (log: Log, readModel: ReadModel, projection = tally()) => {
  const all: RunningProjection[] = []
  const start = async () => {
    const scripted = scriptedBus(log)
    const running = await runProjection({ projection, bus: scripted.bus, readModel, logger })
    all.push(running)
    return { ...scripted, running }
  }
  const workers = [await start(), await start()]
  const at = (index: number) => {
    const found = workers[index]
    if (found === undefined) throw new Error(`No worker ${index}`)
    return found
  }
  return {
    async run(step: Step) {
      if (step.kind === 'deliver') await at(step.worker).deliver(step.count)
      if (step.kind === 'deliver to both') await Promise.all(workers.map((w) => w.deliver(step.count)))
      if (step.kind === 'rewind') at(step.worker).rewind(step.count)
      // A crash loses the caches of the worker and its unsaved cursors.
      if (step.kind === 'crash') workers[step.worker] = await start()
      if (step.kind === 'stop and start') {
        await at(step.worker).running.stop()
        workers[step.worker] = await start()
      }
    },
    async finish() {
      for (const w of workers) while (!w.isAtEnd()) await w.deliver(5)
    },
    stop: () => Promise.all(all.map((running) => running.stop())),
  }
}

const cleanPass = async (log: Log, projection = tally()) => {
  const readModel = inMemory()
  const scripted = scriptedBus(log)
  const running = await runProjection({ projection, bus: scripted.bus, readModel, logger })
  while (!scripted.isAtEnd()) await scripted.deliver(10)
  await running.stop()
  const result = {
    tally: await tallyOf(readModel, keys),
    positions: await positionsOf(readModel),
    deadLetters: await listDeadLetters(readModel, 'tally', 1_000),
  }
  await readModel.close()
  return result
}

const positionsOf = (readModel: ReadModel) => Promise.all(['a', 'b', 'c'].map((p) => readModel.position('tally', p)))

it('PJ-2 crashes, redeliveries, lost responses and a second worker end like one clean pass', async () => {
  const faults = fc.infiniteStream(
    fc.constantFrom<Fault>('none', 'none', 'none', 'none', 'none', 'none', 'before', 'after'),
  )
  await fc.assert(
    fc.asyncProperty(
      logOf([1, 2, 3], 60),
      fc.array(anyStep, { maxLength: 40 }),
      faults,
      async (log, steps, faultStream) => {
        const readModel = inMemory()
        let isFaulty = true
        const nextFault = () => (isFaulty ? (faultStream.next().value ?? 'none') : 'none')
        const workers = await twoWorkers(log, withFaults(readModel, nextFault))
        for (const step of steps) await workers.run(step)
        isFaulty = false
        await workers.finish()
        await workers.stop()
        const clean = await cleanPass(log)
        expect(await tallyOf(readModel, keys)).toEqual(clean.tally)
        expect(await positionsOf(readModel)).toEqual(clean.positions)
        expect(await listDeadLetters(readModel, 'tally', 1_000)).toEqual([])
        await readModel.close()
      },
    ),
    { numRuns: 60 },
  )
})

it('PJ-2 and PJ-6 the same holds for messages that cannot be applied, which become dead letters once and are retried in order', async () => {
  await fc.assert(
    fc.asyncProperty(logOf([1, 2, poison], 15), fc.array(anyStep, { maxLength: 15 }), async (log, steps) => {
      let isMended = false
      const projection = tally((n) => n === poison && !isMended)
      const readModel = inMemory()
      const workers = await twoWorkers(log, readModel, projection)
      for (const step of steps) await workers.run(step)
      await workers.finish()

      const clean = await cleanPass(log, tally((n) => n === poison)) // prettier-ignore
      expect(await tallyOf(readModel, keys)).toEqual(clean.tally)
      expect(await positionsOf(readModel)).toEqual(clean.positions)
      expect(await listDeadLetters(readModel, 'tally', 1_000)).toEqual(clean.deadLetters)

      isMended = true
      const retry = () => retryDeadLetters({ projection, readModel, logger, limit: 1_000 })
      const reports = await Promise.all([retry(), retry()])
      expect(reports.map(({ applied }) => applied).reduce((a, b) => a + b)).toBe(clean.deadLetters.length)
      expect(await listDeadLetters(readModel, 'tally', 1_000)).toEqual([])
      expect(await tallyOf(readModel, keys)).toEqual((await cleanPass(log)).tally)
      await workers.stop()
      await readModel.close()
    }),
    { numRuns: 8 },
  )
}, 30_000)
