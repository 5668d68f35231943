import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { createClient } from 'redis'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { createDiscontinuityStore, describeDiscontinuity } from '../discontinuity/discontinuity.ts'
import { projectionKey } from '../read-model/projection-key.ts'
import type { Projection } from '../projection/projection.ts'
import { tally, tallyOf } from '@portal/platform/testing/projection/tally'
import { openReadModels } from './read-models.ts'
import { dropReadModel, openReadModel } from '../adapters/open-adapters.ts'
import { buildMissing } from './build-missing.ts'
import { replay, type ReplayOptions } from './replay.ts'
import { rollback } from './rollback.ts'
import { keys, serveTally, type ServedTally } from '@portal/platform/testing/generations/serving-tally'
import { until } from '../../testing/until.ts'

describe('a replay of read models in Redis', { timeout: 60_000 }, () => {
  const prefix = `replay-${randomUUID()}`
  let url: string
  let tallied: ServedTally

  /** Like FLUSHALL, only for the keys of this test. */
  const empty = async () => {
    const client = createClient({ url: inject('redisUrl') })
    await client.connect()
    for await (const found of client.scanIterator({ MATCH: `*${prefix}*`, COUNT: 1_000 })) {
      if (found.length > 0) await client.del(found)
    }
    await client.close()
  }

  beforeEach(async () => {
    const address = new URL(inject('redisUrl'))
    address.searchParams.set('prefix', prefix)
    url = address.href
    tallied = await serveTally(tally(), {
      open: (namespace) => openReadModel(url, namespace),
      drop: (namespace) => dropReadModel(url, namespace),
    })
    await noteSome(40)
  })
  afterEach(async () => {
    await tallied.stop()
    await empty()
  })

  const noteSome = async (notes: number) => {
    let last = ''
    for (let n = 0; n < notes; n++) last = await tallied.note(keys[n % keys.length] ?? 'a0', n)
    await tallied.untilApplied(keys[(notes - 1) % keys.length] ?? 'a0', last)
  }
  const options = (more: Partial<ReplayOptions> = {}): ReplayOptions => ({
    ...tallied.ports,
    projections: [tally()],
    stamp: 'next',
    force: false,
    signal: new AbortController().signal,
    ...more,
  })
  const untilServedBy = (name: string) => until(() => expect(tallied.serving.current().name).toBe(name))
  const expectServing = async () => {
    await noteSome(8)
    expect(await tallied.served()).toEqual(await tallied.cleanPass())
  }

  it('RP-1 and RP-3 takes over with new messages, rolls back, and drops unneeded generations', async () => {
    const [result] = await replay(
      options({
        onStep: async (step) => {
          if (step !== 'switched') await tallied.note('a0', 7)
        },
      }),
    )
    expect(result).toMatchObject({ outcome: 'switched', compared: 3, differences: [] })
    await untilServedBy('tally-next')
    await expectServing()
    await rollback({ ...tallied.ports, projections: [tally()], signal: new AbortController().signal })
    await untilServedBy('tally-main')
    await expectServing()
    await replay(options({ stamp: 'third' }))
    await untilServedBy('tally-third')
    await expectServing()
    const dropped = await openReadModel(url, 'tally-next')
    expect(await dropped.partitions()).toEqual([])
    await dropped.close()
  })

  it('PJ-15 and RP-1 rebuilds emptied read models', async () => {
    await empty()
    await tallied.note('a0', 41)
    const recorded = async () =>
      (await createDiscontinuityStore(tallied.readModels.control).all()).map(describeDiscontinuity)
    await until(async () =>
      expect(await recorded()).toEqual([expect.stringMatching(/^projection:tally .* make replay P=tally$/)]),
    )
    await expect(tallied.serving.get({ partition: 'a', collection: 'head', key: 'a0' })).rejects.toThrow('make replay')
    expect(await replay(options())).toMatchObject([{ outcome: 'switched', compared: 0, isRepair: true }])
    await untilServedBy('tally-next')
    // Reads reject until this process has seen that the record has ended.
    await until(async () => expect([await recorded(), tallied.continuity.open()]).toEqual([[], []]))
    await expectServing()
    await tallied.readModels.check()
  })

  it('PJ-26 builds a version without a generation once, beside the active one', async () => {
    const second: Projection = { ...tally(), version: 2 }
    const open = (namespace: string) => openReadModel(url, namespace)
    const logger = pino({ level: 'silent' })
    const releases = await Promise.all(
      [0, 1, 2].map(() => openReadModels({ projections: [projectionKey(second)], open, logger })),
    )
    const building = releases.map((readModels, n) =>
      buildMissing(tallied.ports, { projections: [second], readModels, stamp: `built${n}` }),
    )
    await Promise.all(building)
    const built = releases.map((readModels) => readModels.of(second))
    expect(new Set(built.map((readModel) => readModel.current().name)).size).toBe(1)
    for (const readModel of built) expect(await tallyOf(readModel, keys)).toEqual((await tallied.served()).tally)
    await Promise.all(releases.map((readModels) => readModels.close()))
    expect(tallied.serving.current().name).toBe('tally-main')
    await expectServing()
  })
})
