import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { createDiscontinuityStore, projectionConsumer, wholeLog } from '../discontinuity/discontinuity.ts'
import { reactorGroup } from './run-consumer.ts'
import { tally } from '@portal/platform/testing/projection/tally'
import { loadGenerations } from './generations.ts'
import { OnlyAllTogetherError } from './repair.ts'
import { replay, type ReplayOptions } from './replay.ts'
import { NothingToRollBackToError, rollback } from './rollback.ts'
import { keys, serveTally, type ServedTally } from '@portal/platform/testing/generations/serving-tally'
import { until } from '../../testing/until.ts'

const pageBytes = 4_096

/** Every page except the first. */
const damage = (file: string) => {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  const written = openSync(file, 'r+')
  writeSync(written, Buffer.alloc(statSync(file).size - pageBytes, 0xa5), 0, undefined, pageBytes)
  closeSync(written)
}

describe('a replay as a repair', { timeout: 60_000 }, () => {
  const served: ServedTally[] = []
  afterEach(async () => void (await Promise.all(served.splice(0).map((each) => each.stop()))))

  const noteSome = async (tallied: ServedTally, notes: number) => {
    let last = ''
    for (let n = 0; n < notes; n++) last = await tallied.note(keys[n % keys.length] ?? 'a0', n)
    return last
  }
  const serve = async (): Promise<ServedTally> => {
    const tallied = await serveTally()
    served.push(tallied)
    await tallied.untilApplied('c0', await noteSome(tallied, 40))
    return tallied
  }
  const options = (tallied: ServedTally, more: Partial<ReplayOptions> = {}): ReplayOptions => ({
    ...tallied.ports,
    projections: [tally()],
    stamp: 'next',
    force: false,
    signal: new AbortController().signal,
    ...more,
  })
  const back = (tallied: ServedTally) =>
    rollback({ ...tallied.ports, projections: [tally()], signal: new AbortController().signal })
  const expectRepaired = async (tallied: ServedTally, generation: string) => {
    await until(() => expect(tallied.serving.current().name).toBe(generation))
    await until(() => expect(tallied.continuity.open()).toEqual([]))
    await until(() => expect(tallied.haltedBy()).toBeUndefined())
    await tallied.untilApplied('c0', await noteSome(tallied, 8))
    expect(await tallied.served()).toEqual(await tallied.cleanPass())
    expect(await createDiscontinuityStore(tallied.readModels.control).all()).toEqual([])
  }
  /** As after a partial loss: the projection is halted, and its data differs from a clean pass. */
  const loseSome = async (tallied: ServedTally) => {
    const { readModel } = tallied.serving.current()
    const { epoch } = readModel
    tallied.continuity.record({
      consumer: projectionConsumer('tally'),
      cause: 'read-model-older',
      missing: 'a partition came back older',
      epoch,
    })
    await until(() => expect(tallied.haltedBy()).toBeDefined())
    const position = await readModel.position('tally', 'b')
    const write = { op: 'delete', collection: 'head', key: 'b0' } as const
    const nudged = { projection: 'tally', partition: 'b', expected: position, position: `${position}~000001` }
    await readModel.commit({ ...nudged, writes: [write] })
    await tallied.continuity.refresh()
  }

  it('RP-8 needs no comparison and no FORCE for a projection recorded as incomplete, and clears the record', async () => {
    const tallied = await serve()
    const { epoch } = tallied.serving
    await loseSome(tallied)
    await noteSome(tallied, 4)
    expect(await replay(options(tallied))).toMatchObject([{ outcome: 'switched', compared: 0, isRepair: true }])
    await expectRepaired(tallied, 'tally-next')
    expect(tallied.serving.epoch).not.toBe(epoch)
    // An incomplete generation never becomes active again.
    await expect(back(tallied)).rejects.toThrow(NothingToRollBackToError)
    const { serving } = await loadGenerations(tallied.readModels.control)
    expect(serving).toEqual({ tally: { generation: 'tally-next', refused: 'tally-main' } })
  })

  it('RP-8 also rolls back to a complete generation as a repair', async () => {
    const tallied = await serve()
    await replay(options(tallied))
    await until(() => expect(tallied.serving.current().name).toBe('tally-next'))
    await loseSome(tallied)
    expect(await back(tallied)).toMatchObject([{ generation: 'tally-main', previous: 'tally-next', isRepair: true }])
    await expectRepaired(tallied, 'tally-main')
    await expect(back(tallied)).rejects.toThrow(NothingToRollBackToError)
  })

  it('RP-9 rebuilds a damaged read model, whether or not the damage was recorded', async () => {
    const tallied = await serve()
    damage(join(tallied.folder, 'tally-main.db'))
    await noteSome(tallied, 4)
    expect(await replay(options(tallied))).toMatchObject([{ outcome: 'switched', isRepair: true }])
    await until(() => expect(tallied.serving.current().name).toBe('tally-next'))
    await expectRepaired(tallied, 'tally-next')
  })

  it('RP-10 repairs all consumers together after an older event store, and rejects a partial replay', async () => {
    const tallied = await serve()
    const { control } = tallied.readModels
    await control.saveCursor(reactorGroup('reactor'), '0', 'of another log')
    await control.saveCursor(
      'feed:auth',
      'log',
      JSON.stringify({ position: '99', eventId: 'gone', ends: { 'auth-0': '7' } }),
    )
    tallied.continuity.record({ consumer: wholeLog, cause: 'log-older', missing: 'some events' })
    await until(() => expect(tallied.haltedBy()).toBeDefined())
    await tallied.continuity.refresh()
    const end = await noteSome(tallied, 4)
    await expect(replay(options(tallied))).rejects.toThrow(OnlyAllTogetherError)
    await expect(back(tallied)).rejects.toThrow(/Run: make replay$/)

    const others = { reactors: ['reactor'], logPublishers: ['feed:auth', 'feed:catalog'] }
    expect(await replay(options(tallied, { otherConsumers: others }))).toMatchObject([
      { outcome: 'switched', isRepair: true },
    ])
    expect(await control.loadCursors(reactorGroup('reactor'))).toEqual({ '0': '' })
    const feed: unknown = JSON.parse((await control.loadCursors('feed:auth'))['log'] ?? '')
    expect(feed).toEqual({ position: end, eventId: expect.stringMatching(/^[0-9a-f-]{36}$/), ends: { 'auth-0': '7' } })
    expect(await control.loadCursors('feed:catalog')).toEqual({})
    await expectRepaired(tallied, 'tally-next')
  })
})
