import { readdir } from 'node:fs/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { tally } from '@portal/platform/testing/projection/tally'
import { changeGenerations, loadGenerations } from './generations.ts'
import { ReplayLockLostError, ReplayRunningError } from './replay-lock.ts'
import { baselineFrom } from './baseline-check.ts'
import { documentRow } from '../read-model/row-names.ts'
import type { PartitionRows } from '../read-model/port.ts'
import type { CutoverStep } from './cutover.ts'
import { replay, type ReplayOptions } from './replay.ts'
import { NothingToRollBackToError, rollback } from './rollback.ts'
import { keys, serveTally, type ServedTally } from '@portal/platform/testing/generations/serving-tally'
import { until } from '../../testing/until.ts'

/** All but the last, 'switched'. */
const cutoverSteps: readonly CutoverStep[] = ['announced', 'fenced', 'caught up', 'cursors saved']

describe('a replay', { timeout: 60_000 }, () => {
  const served: ServedTally[] = []
  afterEach(async () => void (await Promise.all(served.splice(0).map((each) => each.stop()))))

  const serve = async (notes = 40, projection = tally()): Promise<ServedTally> => {
    const tallied = await serveTally(projection)
    served.push(tallied)
    await noteSome(tallied, notes)
    return tallied
  }
  const noteSome = async (tallied: ServedTally, notes: number) => {
    let last: string | undefined
    for (let n = 0; n < notes; n++) last = await tallied.note(keys[n % keys.length] ?? 'a0', n)
    if (last !== undefined) await tallied.untilApplied(keys[(notes - 1) % keys.length] ?? 'a0', last)
  }
  const options = (tallied: ServedTally, more: Partial<ReplayOptions> = {}): ReplayOptions => ({
    ...tallied.ports,
    projections: [tally()],
    stamp: 'next',
    force: false,
    signal: new AbortController().signal,
    ...more,
  })
  /** Changes the active generation to what does not follow from the log. */
  const alter = async (tallied: ServedTally, key: string) => {
    const { readModel } = tallied.serving.current()
    const partition = key.slice(0, 1)
    const expected = await readModel.position('tally', partition)
    const write = { op: 'put', collection: 'head', key, value: { count: 1, sum: 999 } } as const
    const at = { projection: 'tally', partition, expected, position: `${expected}~000001` }
    await readModel.commit({ ...at, writes: [write] })
  }
  /** Opens read models whose rows are read through `onRead`. */
  const openWithRows =
    (tallied: ServedTally, onRead: (namespace: string, read: () => Promise<PartitionRows>) => Promise<PartitionRows>) =>
    async (namespace: string) => {
      const readModel = await tallied.ports.open(namespace)
      return { ...readModel, rows: (...of: [string, string]) => onRead(namespace, () => readModel.rows(...of)) }
    }
  const generations = (tallied: ServedTally) => loadGenerations(tallied.readModels.control)
  const namespaces = async (tallied: ServedTally) =>
    (await readdir(tallied.folder)).filter((file) => file.startsWith('tally-') && file.endsWith('.db')).toSorted()
  const untilServedBy = (tallied: ServedTally, name: string) =>
    until(() => expect(tallied.serving.current().name).toBe(name))
  /** The active generation applies new messages, and equals one clean pass over the log. */
  const expectServing = async (tallied: ServedTally) => {
    await noteSome(tallied, 8)
    expect(await tallied.served()).toEqual(await tallied.cleanPass())
  }

  it('RP-1 builds another generation, which becomes active and continues', async () => {
    const tallied = await serve()
    const [result] = await replay(options(tallied))
    expect(result).toEqual({
      projection: 'tally',
      generation: 'tally-next',
      previous: 'tally-main',
      compared: 3,
      differences: [],
      isRepair: false,
      outcome: 'switched',
    })
    await untilServedBy(tallied, 'tally-next')
    await expectServing(tallied)
    expect((await generations(tallied)).claim).toBeUndefined()
    expect(await namespaces(tallied)).toEqual(['tally-main.db', 'tally-next.db'])
  })

  it('RP-1 continues the projection at its position without skipping a message or applying one twice', async () => {
    const tallied = await serve()
    await replay(options(tallied))
    await untilServedBy(tallied, 'tally-next')
    await noteSome(tallied, 4)
    expect(tallied.counts()).toEqual({ applied: 44, known: 0, deadLettered: 0 })
    await tallied.restartProjection()
    await noteSome(tallied, 4)
    expect(tallied.counts()).toEqual({ applied: 4, known: 0, deadLettered: 0 })
    await expectServing(tallied)
  })

  it('RP-1 resolves waits for a change across the switch', async () => {
    const tallied = await serve()
    let waiting: Promise<boolean> | undefined
    await replay(
      options(tallied, {
        onStep: async (step) => {
          if (step !== 'fenced') return
          const position = await tallied.note('a0', 7)
          waiting = tallied.serving.whenApplied('tally', 'a', `${position}:00`, 15_000)
        },
      }),
    )
    expect(await waiting).toBe(true)
    expect(tallied.serving.current().name).toBe('tally-next')
    await expectServing(tallied)
  })

  it('RP-2 rejects a different generation, keeps it for inspection, and switches with FORCE', async () => {
    const tallied = await serve()
    const { readModel } = tallied.serving.current()
    const position = await readModel.position('tally', 'b')
    await readModel.commit({
      projection: 'tally',
      partition: 'b',
      expected: position,
      position: `${position}~000001`,
      writes: [{ op: 'put', collection: 'head', key: 'b0', value: { count: 1, sum: 999 } }],
    })
    const [refused] = await replay(options(tallied))
    expect(refused).toMatchObject({
      outcome: 'refused',
      differences: [{ partition: 'b', why: expect.stringContaining('different contents') }],
    })
    expect((await generations(tallied)).serving).toEqual({ tally: { generation: 'tally-main', refused: 'tally-next' } })
    expect(await namespaces(tallied)).toEqual(['tally-main.db', 'tally-next.db'])
    expect(await readModel.position('tally', 'a')).toBeDefined()

    const [forced] = await replay(options(tallied, { stamp: 'forced', force: true }))
    expect(forced).toMatchObject({ outcome: 'switched', generation: 'tally-forced' })
    await untilServedBy(tallied, 'tally-forced')
    await expectServing(tallied)
    expect(await namespaces(tallied)).toEqual(['tally-forced.db', 'tally-main.db'])
  })

  it('RP-2 names the rows that differ, also while the projection continues', async () => {
    const tallied = await serve()
    await alter(tallied, 'b9')
    const open = openWithRows(tallied, async (namespace, read) => {
      // Before the first read, messages come that the comparison has not seen.
      if (namespace === 'tally-main') await noteSome(tallied, 8)
      return read()
    })
    const [refused] = await replay(options(tallied, { open }))
    expect(refused).toMatchObject({
      outcome: 'refused',
      differingRows: { names: [documentRow('head', 'b9')], unreadPartitions: 0 },
    })
  })

  it('RP-2 says of how many partitions it has not read the rows', async () => {
    const tallied = await serve()
    await alter(tallied, 'a9')
    await alter(tallied, 'b9')
    // Says that it is large without needing the memory.
    const rows = Object.defineProperty(new Map<string, string>(), 'size', { value: 1_000_001 })
    const open = openWithRows(tallied, async (_, read) => ({ ...(await read()), rows }))
    const [refused] = await replay(options(tallied, { open }))
    expect(refused).toMatchObject({ differingRows: { names: [], unreadPartitions: 1 } })
  })

  /** Of two projections, the one that was altered is not switched. Returns its result, and what happened after the cutover. */
  const switchOneOfTwo = async (tallied: ServedTally, more: Partial<ReplayOptions>, onRead?: () => void) => {
    await alter(tallied, 'b9')
    const steps: string[] = []
    const [refused, switched] = await replay(
      options(tallied, {
        projections: [tally(), { ...tally(), name: 'other' }],
        onSwitched: async (results) => void steps.push(...results.map(({ generation }) => generation)),
        open: openWithRows(tallied, (_, read) => {
          steps.push('rows')
          onRead?.()
          return read()
        }),
        ...more,
      }),
    )
    expect(switched).toMatchObject({ projection: 'other', outcome: 'switched' })
    expect(refused).toMatchObject({ projection: 'tally', outcome: 'refused' })
    return { refused, steps }
  }

  it('RP-2 reports what was switched before it names rows, and names none after a cancelation', async () => {
    const tallied = await serve()
    const controller = new AbortController()
    const { refused, steps } = await switchOneOfTwo(tallied, { signal: controller.signal }, () => controller.abort())
    expect(steps).toEqual(['other-next', 'rows'])
    expect(refused).not.toHaveProperty('differingRows')
  })

  it('RP-5 reports what was switched if another run takes its lock after the cutover', async () => {
    const tallied = await serve()
    const { control } = tallied.readModels
    const claim = { by: 'another', renewals: 0, sealing: [] }
    const onStep = async (step: CutoverStep) => {
      if (step !== 'switched') return
      await until(async () =>
        expect(await changeGenerations(control, await loadGenerations(control), { claim })).toBeDefined(),
      )
    }
    const { refused, steps } = await switchOneOfTwo(tallied, { onStep })
    expect(steps).toEqual(['other-next'])
    expect(refused).not.toHaveProperty('differingRows')
    expect((await generations(tallied)).serving).toMatchObject({ other: { generation: 'other-next' } })
  })

  it('RP-2 accepts dead letters that were retried in the order of their key', async () => {
    const tallied = await serve()
    const { readModel } = tallied.serving.current()
    // Like a retry: moves the position without passing a message.
    const position = await readModel.position('tally', 'c')
    const nudged = {
      projection: 'tally',
      partition: 'c',
      expected: position,
      position: `${position}~000001`,
      writes: [],
    }
    expect(await readModel.commit(nudged)).toBe('committed')
    expect(await replay(options(tallied))).toMatchObject([{ outcome: 'switched', compared: 3 }])
    await untilServedBy(tallied, 'tally-next')
    await expectServing(tallied)
  })

  it('RP-2 compares nothing if the active generation is empty', async () => {
    const tallied = await serve()
    await replay(options(tallied, { projections: [{ ...tally(), name: 'another' }] }))
    expect((await generations(tallied)).serving).toMatchObject({ another: { generation: 'another-next' } })
  })

  it('RP-12 compares with a given baseline in place of the active generation, and switches nothing if one differs', async () => {
    const tallied = await serve()
    const { readModel } = tallied.serving.current()
    const taken = new Map(
      await Promise.all(
        Object.keys(await readModel.positions('tally')).map(
          async (partition) => [partition, await readModel.digest('tally', partition)] as const,
        ),
      ),
    )
    await noteSome(tallied, 8)
    const another = { ...tally(), name: 'another' }
    const projections = [another, tally()]
    const other = new Map([...taken].map(([partition, digest]) => [partition, { ...digest, checksum: 'other' }]))
    const refused = await replay(
      options(tallied, { projections, baselineOf: (projection: string) => baselineFrom(projection, other) }),
    )
    expect(refused.map(({ outcome }) => outcome)).toEqual(['refused', 'refused'])
    expect(tallied.serving.current().name).toBe('tally-main')

    const baselineOf = (projection: string) => (projection === 'tally' ? baselineFrom(projection, taken) : undefined)
    const results = await replay(options(tallied, { stamp: 'same', projections, baselineOf }))
    expect(results.map(({ outcome, compared }) => [outcome, compared])).toEqual([
      ['switched', 0],
      ['switched', 3],
    ])
    await untilServedBy(tallied, 'tally-same')
    await expectServing(tallied)
  })

  it('RP-3 rolls back, and forward again, with all new messages', async () => {
    const tallied = await serve()
    await replay(options(tallied))
    await untilServedBy(tallied, 'tally-next')
    await noteSome(tallied, 10)
    const back = () => rollback({ ...tallied.ports, projections: [tally()], signal: new AbortController().signal })
    expect(await back()).toEqual([
      { projection: 'tally', generation: 'tally-main', previous: 'tally-next', isRepair: false },
    ])
    await untilServedBy(tallied, 'tally-main')
    await expectServing(tallied)
    await back()
    await untilServedBy(tallied, 'tally-next')
    await expectServing(tallied)
    await replay(options(tallied, { stamp: 'third' }))
    expect(await namespaces(tallied)).toEqual(['tally-next.db', 'tally-third.db'])
  })

  it('RP-3 rolls back to a generation of an empty log, which has applied nothing', async () => {
    const tallied = await serve(0)
    await replay(options(tallied))
    const back = () => rollback({ ...tallied.ports, projections: [tally()], signal: new AbortController().signal })
    await untilServedBy(tallied, 'tally-next')
    await replay(options(tallied, { stamp: 'third' }))
    expect(await back()).toEqual([
      { projection: 'tally', generation: 'tally-next', previous: 'tally-third', isRepair: false },
    ])
    await untilServedBy(tallied, 'tally-next')
    await noteSome(tallied, 4)
    await expectServing(tallied)
  })

  it('RP-11 keeps the epoch between generations that are equal, in both directions, and only then', async () => {
    const tallied = await serve()
    const { epoch } = tallied.serving
    await replay(options(tallied))
    await untilServedBy(tallied, 'tally-next')
    expect(tallied.serving.epoch).toBe(epoch)
    expect(tallied.serving.current().readModel.epoch).not.toBe(epoch)
    await replay(options(tallied, { stamp: 'third' }))
    await untilServedBy(tallied, 'tally-third')
    expect(tallied.serving.epoch).toBe(epoch)
    await rollback({ ...tallied.ports, projections: [tally()], signal: new AbortController().signal })
    await untilServedBy(tallied, 'tally-next')
    expect(tallied.serving.epoch).toBe(tallied.serving.current().readModel.epoch)
    const { readModel } = tallied.serving.current()
    const position = await readModel.position('tally', 'b')
    const write = { op: 'put', collection: 'head', key: 'b0', value: { count: 1, sum: 999 } } as const
    const nudged = { projection: 'tally', partition: 'b', expected: position, position: `${position}~000001` }
    await readModel.commit({ ...nudged, writes: [write] })
    await replay(options(tallied, { stamp: 'forced', force: true }))
    await untilServedBy(tallied, 'tally-forced')
    expect(tallied.serving.epoch).toBe(tallied.serving.current().readModel.epoch)
  })

  it('RP-3 rejects a rollback before the first replay', async () => {
    const tallied = await serve()
    const back = rollback({ ...tallied.ports, projections: [tally()], signal: new AbortController().signal })
    await expect(back).rejects.toThrow(NothingToRollBackToError)
    await expectServing(tallied)
  })

  it('RP-4 that fails at any step, or is stopped, leaves the active generation unchanged', async () => {
    const tallied = await serve()
    for (const failsAt of cutoverSteps) {
      const onStep = (step: CutoverStep) => {
        if (step === failsAt) throw new Error(`cut off when ${step}`)
      }
      await expect(replay(options(tallied, { onStep }))).rejects.toThrow(`cut off when ${failsAt}`)
      expect(await generations(tallied)).toEqual({ version: expect.any(String), serving: {}, droppable: [] })
      await expectServing(tallied)
      expect(tallied.serving.current().name).toBe('tally-main')
      expect(await namespaces(tallied)).toEqual(['tally-main.db'])
    }
    const controller = new AbortController()
    const stopped = replay(
      options(tallied, {
        signal: controller.signal,
        onProgress: ({ step }) => step === 'reading' && controller.abort(),
      }),
    )
    await expect(stopped).rejects.toThrow('aborted')
    expect(await namespaces(tallied)).toEqual(['tally-main.db'])
    await expectServing(tallied)
  })

  /** A replay that hangs at a step until the serving processes have removed its lock. Fenced or not, messages are applied by then. */
  const expire = async (tallied: ServedTally, diesAt: CutoverStep) => {
    const { ports, die, wake } = tallied.mortalPorts()
    let isDead = false
    const died = Promise.withResolvers<void>()
    const run = replay(
      options(tallied, {
        ...ports,
        onStep: (step) => {
          if (step !== diesAt || isDead) return
          isDead = true
          died.resolve()
          return die()
        },
      }),
    ).catch((error: unknown) => error)
    await died.promise
    await tallied.untilApplied('a0', await tallied.note('a0', 5))
    await until(async () => expect((await generations(tallied)).claim).toBeUndefined())
    return { run, wake }
  }

  const expectLossToAnother = async (diesAt: CutoverStep) => {
    const tallied = await serve(12)
    const { run, wake } = await expire(tallied, diesAt)
    await expectServing(tallied)
    expect(tallied.serving.current().name).toBe('tally-main')
    // The next run also cleans up after it.
    await replay(options(tallied, { stamp: 'second' }))
    await untilServedBy(tallied, 'tally-second')
    wake()
    const lost = await run
    expect(lost).toBeInstanceOf(ReplayLockLostError)
    expect(lost).toMatchObject({
      message: expect.stringMatching(/^This run lost the replay lock [^\n]* Run it again$/),
    })
    expect(tallied.serving.current().name).toBe('tally-second')
    await expectServing(tallied)
    await replay(options(tallied, { stamp: 'third' }))
    await untilServedBy(tallied, 'tally-third')
    expect(await namespaces(tallied)).toEqual(['tally-second.db', 'tally-third.db'])
  }

  const expectToGoOn = async (diesAt: CutoverStep) => {
    const tallied = await serve(12)
    const { run, wake } = await expire(tallied, diesAt)
    // The new generation lacks these until the cutover starts again.
    await expectServing(tallied)
    expect(tallied.serving.current().name).toBe('tally-main')
    wake()
    expect(await run).toMatchObject([{ outcome: 'switched', generation: 'tally-next' }])
    await untilServedBy(tallied, 'tally-next')
    await expectServing(tallied)
    expect((await generations(tallied)).claim).toBeUndefined()
    expect(await namespaces(tallied)).toEqual(['tally-main.db', 'tally-next.db'])
  }

  // All of them wait until a lock expires, so they run side by side.
  it('RP-4, RP-5 and RP-14 that hangs at any step until its lock expires cannot switch if another replay ran meanwhile, and goes on if not', async () => {
    await Promise.all(cutoverSteps.flatMap((diesAt) => [expectLossToAnother(diesAt), expectToGoOn(diesAt)]))
  })

  it('RP-6 is rejected without waiting while another one runs', async () => {
    const tallied = await serve()
    let other: unknown
    await replay(
      options(tallied, {
        onStep: async (step) => {
          if (step !== 'announced') return
          other = await replay(options(tallied, { stamp: 'other' })).catch((error: unknown) => error)
        },
      }),
    )
    expect(other).toBeInstanceOf(ReplayRunningError)
    await untilServedBy(tallied, 'tally-next')
    await expectServing(tallied)
    expect(await namespaces(tallied)).toEqual(['tally-main.db', 'tally-next.db'])
  })
})
