import fc from 'fast-check'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { type Continuity, inMemoryContinuity } from '../discontinuity/continuity.ts'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import { projectionGroup, type RunningProjection, runProjection } from './run-projection.ts'
import { fallibleServer } from '@portal/platform/testing/projection/fallible-server'
import { scriptedBus } from '@portal/platform/testing/projection/scripted-bus'
import { noteEnvelope, tally, tallyOf } from '@portal/platform/testing/projection/tally'
import { until } from '../../testing/until.ts'

const logger = pino({ level: 'silent' })
const keys = ['a1', 'a2', 'b1', 'c1']

const logOf = fc
  .array(fc.constantFrom(...keys), { minLength: 1, maxLength: 60 })
  .map((chosen) => chosen.map((key, index) => noteEnvelope(index, key, index)))

const count = fc.integer({ min: 1, max: 12 })
const anyStep = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('deliver' as const), count }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('go back' as const), count }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('go back in mid-batch' as const), count }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('save cursors' as const), count }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose commits' as const), count }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('empty' as const), count }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart' as const), count }) },
)
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never
const tenNotes = Array.from({ length: 10 }, (_, n) => noteEnvelope(n, 'a1', n))
const deliverAll: Step = { kind: 'deliver', count: 10 }
type Log = readonly ReturnType<typeof noteEnvelope>[]

const startWorld = async (log: Log, continuity: Continuity) => {
  const server = fallibleServer()
  const start = async () => {
    const scripted = scriptedBus(log)
    const readModel = server.connect()
    const running = await runProjection({
      projection: tally(),
      bus: scripted.bus,
      readModel,
      continuity,
      logger,
      checkEveryMs: 2,
    })
    return { ...scripted, running }
  }
  let worker = await start()
  const ended: RunningProjection[] = []

  return {
    server,
    async run(step: Step) {
      if (step.kind === 'deliver') await worker.deliver(step.count)
      if (step.kind === 'go back') await server.goBack(step.count)
      if (step.kind === 'go back in mid-batch') {
        await Promise.all([worker.deliver(step.count), server.goBack(step.count)])
      }
      if (step.kind === 'lose commits') await server.loseCommits(step.count)
      if (step.kind === 'empty') await server.empty()
      if (step.kind === 'save cursors') {
        // Saves like the timer after a second, without the wait.
        await worker.running.stop()
        worker = await start()
      }
      if (step.kind === 'restart') {
        // With empty caches, from the saved cursors. Another process runs beside it and detects losses, too.
        ended.push(worker.running)
        worker = await start()
      }
    },
    deliver: () => worker.deliver(7),
    async stop() {
      await worker.running.stop()
      await Promise.all(ended.map((running) => running.stop()))
      await server.close()
    },
  }
}

const cleanPass = async (log: Log) => {
  const readModel = openSqliteReadModel({ path: ':memory:', namespace: 'main' })
  const scripted = scriptedBus(log)
  const running = await runProjection({ projection: tally(), bus: scripted.bus, readModel, logger })
  while (!scripted.isAtEnd()) await scripted.deliver(10)
  await running.stop()
  const result = await tallyOf(readModel, keys)
  await readModel.close()
  return result
}

it('PJ-16 and PJ-17 a read model that loses acknowledged data ends like one clean pass, or with a recorded discontinuity', async () => {
  const outcomes = { equal: 0, recorded: 0 }
  await fc.assert(
    fc.asyncProperty(logOf, fc.array(anyStep, { minLength: 1, maxLength: 25 }), async (log, steps) => {
      const continuity = inMemoryContinuity(logger)
      const world = await startWorld(log, continuity)
      for (const each of steps) await world.run(each)
      const clean = await cleanPass(log)
      const outcome = await until(async () => {
        if (continuity.open().some(({ consumer }) => consumer === projectionGroup({ name: 'tally' }))) return 'recorded'
        await world.deliver()
        expect(await tallyOf(world.server.held, keys)).toEqual(clean)
        return 'equal'
      })
      outcomes[outcome]++
      await world.stop()
    }),
    // One of each outcome, whatever the seed.
    {
      numRuns: 60,
      examples: [
        [tenNotes, [deliverAll]],
        [tenNotes, [deliverAll, { kind: 'empty', count: 1 }]],
      ],
    },
  )
  expect(Math.min(outcomes.equal, outcomes.recorded)).toBeGreaterThan(0)
}, 60_000)
