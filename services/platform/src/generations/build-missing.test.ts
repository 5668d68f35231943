import { readdir } from 'node:fs/promises'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { openInProcessBus } from '../bus/in-process.ts'
import { createDiscontinuityStore } from '../discontinuity/discontinuity.ts'
import { projectionKey } from '../read-model/projection-key.ts'
import type { Projection } from '../projection/projection.ts'
import { runProjection } from './run-projection.ts'
import { tally, tallyOf } from '@portal/platform/testing/projection/tally'
import { loadGenerations } from './generations.ts'
import { openReadModels, type ReadModels } from './read-models.ts'
import { ReadModelUnavailableError } from '../read-model/errors.ts'
import { buildMissing } from './build-missing.ts'
import type { ReplayPorts } from './run-with-replay-lock.ts'
import { replay } from './replay.ts'
import { keys, serveTally, type ServedTally } from '@portal/platform/testing/generations/serving-tally'
import { until } from '../../testing/until.ts'

const logger = pino({ level: 'silent' })
const first = tally()
/** The next release counts in tens. */
const second: Projection = {
  ...first,
  version: 2,
  apply: async (envelope, view) =>
    (await first.apply(envelope, view)).map((write) =>
      write.op === 'add' ? { ...write, score: write.score * 10 } : write,
    ),
}
const sumOf = (n: number) => (n * (n - 1)) / 2

describe('a version of a projection without a generation', { timeout: 60_000 }, () => {
  const closing: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close()
  })

  const serveFirst = async (notes: number): Promise<ServedTally> => {
    const served = await serveTally(first)
    closing.push(served.stop)
    for (let n = 0; n < notes; n++) await served.untilApplied('a0', await served.note('a0', n))
    return served
  }
  /** The read models of a process of the next release. */
  const openNext = async ({ ports }: ServedTally): Promise<ReadModels> => {
    const readModels = await openReadModels({ projections: [projectionKey(second)], open: ports.open, logger })
    closing.push(readModels.close)
    return readModels
  }
  const build = (ports: ReplayPorts, readModels: ReadModels, stamp = 'built') =>
    buildMissing(ports, { projections: [second], readModels, stamp })
  const namespaces = async ({ folder }: ServedTally) =>
    (await readdir(folder)).filter((file) => file.startsWith('tally') && file.endsWith('.db')).toSorted()

  it('PJ-25 cannot be read and is not ready until it has been built', async () => {
    const served = await serveFirst(3)
    const readModels = await openNext(served)
    const documentRef = { partition: 'a', collection: 'head', key: 'a0' }
    await expect(readModels.of(second).get(documentRef)).rejects.toThrow(ReadModelUnavailableError)
    await expect(readModels.check()).rejects.toThrow('tally.v2 has not been built yet')
    // Otherwise the start would wait for what it builds afterwards.
    await expect(readModels.checkBuilt()).resolves.toBeUndefined()
    expect(await namespaces(served)).toEqual(['tally-main.db'])
    await build(served.ports, readModels)
    expect(await readModels.of(second).get(documentRef)).toEqual({ count: 3, sum: sumOf(3) })
    await expect(readModels.check()).resolves.toBeUndefined()
  })

  it('PJ-25 is also picked up by a process that only reads', async () => {
    const served = await serveFirst(3)
    const [builder, reader] = [await openNext(served), await openNext(served)]
    await build(served.ports, builder)
    await until(() => expect(reader.of(second).current().name).toBe('tally.v2-built'))
  })

  it('BUS-55 is not built by a process without publishers of its topics', async () => {
    const served = await serveFirst(3)
    const readModels = await openNext(served)
    const refused = build({ ...served.ports, publishers: [] }, readModels)
    await expect(refused).rejects.toThrow('tally would miss messages in the log')
    expect(readModels.isBuilt(second)).toBe(false)
  })

  it('PJ-26 is written beside the previous version, each by its own release', async () => {
    const served = await serveFirst(5)
    const readModels = await openNext(served)
    await build(served.ports, readModels)
    const bus = await openInProcessBus({ eventStore: served.eventStore, publishers: served.ports.publishers, logger })
    closing.push(bus.close)
    const readModel = readModels.of(second)
    const running = await runProjection({ projection: second, bus, readModel, logger })
    closing.push(running.stop)
    await running.caughtUp
    // Its cursor was saved with what was built.
    expect(running.counts()).toEqual({ applied: 0, known: 0, deadLettered: 0 })

    const position = await served.note('a0', 5)
    await served.untilApplied('a0', position)
    expect(await readModel.whenApplied('tally', 'a', `${position}:00`, 15_000)).toBe(true)
    const scores = async (of: typeof readModel) => (await tallyOf(of, keys))[0]?.numbers.map(({ score }) => score)
    expect(await scores(served.serving)).toEqual([1, 2, 3, 4, 5, 6])
    expect(await scores(readModel)).toEqual([10, 20, 30, 40, 50, 60])
    expect(await namespaces(served)).toEqual(['tally-main.db', 'tally.v2-built.db'])
  })

  it('PJ-26 is built once, however many processes start', async () => {
    const served = await serveFirst(20)
    const starting = [await openNext(served), await openNext(served), await openNext(served)]
    await Promise.all(starting.map((readModels, index) => build(served.ports, readModels, `built${index}`)))
    const generations = new Set(starting.map((readModels) => readModels.of(second).current().name))
    expect(generations.size).toBe(1)
    expect(await namespaces(served)).toEqual(['tally-main.db', ...[...generations].map((name) => `${name}.db`)])
  })

  it('PJ-26 is built again if the first builder dies halfway', async () => {
    const served = await serveFirst(5)
    const [dying, other] = [await openNext(served), await openNext(served)]
    const { ports, die, wake } = served.mortalPorts()
    const dyingPorts: ReplayPorts = {
      ...ports,
      open: async (namespace) => {
        const readModel = await ports.open(namespace)
        if (namespace !== 'tally.v2-dying') return readModel
        const lost = () => Promise.reject(new Error('the process died'))
        const dead = () => die().then(lost)
        return { ...readModel, epoch: readModel.epoch, commit: dead, commitAll: dead }
      },
    }
    const died = build(dyingPorts, dying, 'dying')
    await until(async () => expect(await namespaces(served)).toContain('tally.v2-dying.db'))
    await build(served.ports, other, 'next')
    expect(other.of(second).current().name).toBe('tally.v2-next')
    expect(await other.of(second).get({ partition: 'a', collection: 'head', key: 'a0' })).toMatchObject({ count: 5 })
    wake()
    await expect(died).rejects.toThrow('the process died')
    await until(() => expect(dying.of(second).current().name).toBe('tally.v2-next'))
    expect(await namespaces(served)).toEqual(['tally-main.db', 'tally.v2-next.db'])
  })

  it('PJ-26 is replayed by its own key without changing the previous version', async () => {
    const served = await serveFirst(5)
    const readModels = await openNext(served)
    await build(served.ports, readModels)
    const signal = new AbortController().signal
    const [result] = await replay({ ...served.ports, projections: [second], stamp: 'next', force: false, signal })
    expect(result).toMatchObject({ generation: 'tally.v2-next', previous: 'tally.v2-built', outcome: 'switched' })
    await until(() => expect(readModels.of(second).current().name).toBe('tally.v2-next'))
    const { serving } = await loadGenerations(readModels.control)
    expect(Object.keys(serving)).toEqual(['tally.v2'])
    expect(served.serving.current().name).toBe('tally-main')
  })

  it('PJ-26 a replay of one version also clears the records of the others', async () => {
    const served = await serveFirst(3)
    const readModels = await openNext(served)
    await build(served.ports, readModels)
    const kept = createDiscontinuityStore(readModels.control)
    for (const consumer of ['projection:tally', 'projection:tally.v2', 'projection:tallying']) {
      const at = new Date().toISOString()
      await kept.record({ consumer, cause: 'read-model-lost', missing: 'all', since: at, noticedBy: 'portal' })
    }
    const signal = new AbortController().signal
    await replay({ ...served.ports, projections: [second], stamp: 'next', force: false, signal })
    expect((await kept.all()).map(({ consumer }) => consumer)).toEqual(['projection:tallying'])
  })
})
