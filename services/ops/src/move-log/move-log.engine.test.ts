/** @module-tag verify */
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedEvent } from '@portal/platform/event-store/port'
import { serversUnderTest } from '@portal/platform/testing/event-store/servers'
import { takeDigests } from '@portal/platform/generations/baseline-check'
import { requireCompleteStore } from '@portal/platform/restore/open-marks'
import { UnfinishedStoreError } from '@portal/platform/restore/restore-mark'
import type { Config } from '@portal/platform/settings/config'
import { dataFiles } from '@portal/platform/files/data-folder'
import { openVault } from '@portal/platform/adapters/open-adapters'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { standaloneMain, killedRun, runProcess } from '@portal/ops/testing/restore/run-process'
import {
  configOf,
  eventsOf,
  neverAborted,
  newUsedFolder,
  type UsedFolder,
} from '@portal/ops/testing/restore/used-folder'
import { projections } from '../settings/consumers.ts'
import { openServingReadModels } from '../settings/serving-read-models.ts'
import { moveLog, type MoveStep } from './move-log.ts'

const ownParts = ({ id, stream, revision, type, data }: RecordedEvent) => ({ id, stream, revision, type, data })
const times = ({ at, metadata }: RecordedEvent) => metadata.occurredAt ?? at
const portalEvents = (events: readonly RecordedEvent[]) => events.filter(({ type }) => type !== 'LogMoved')
const once = (config: Config, to: string) => moveLog({ config, to, stamp: 'moved', signal: neverAborted })

/** Lists that a log was moved, so it differs afterwards. */
const operationsAudit = 'audit notifications-operations'

/** The contents of all other read models, without positions. */
const digestsOf = async (config: Config) => {
  const readModels = await openServingReadModels(config)
  const digests: Record<string, unknown> = {}
  for (const projection of projections) {
    const { name } = projection
    const serving = await readModels.of(projection)
    if (serving === undefined) continue
    for (const [partition, { checksum, documents, entries }] of await takeDigests(name, serving.readModel))
      digests[`${name} ${partition}`] = { checksum, documents, entries }
  }
  await readModels.close()
  const { [operationsAudit]: _moves, ...others } = digests
  return others
}

const profileOf = async (config: Config, events: readonly RecordedEvent[]) => {
  const { userKeys: keysFile, masterKey: masterKeyFile, erasures: erasuresFile } = dataFiles(config.dataDir)
  const vault = await openVault(config.eventStoreUrl, { keysFile, masterKeyFile, erasuresFile })
  const opened: unknown[] = []
  for (const { type, data } of events) {
    if (type !== 'UserRegistered') continue
    const { userId, profile } = data as { userId: string; profile: Parameters<typeof vault.decrypt>[1] } // as auth records it
    opened.push(JSON.parse((await vault.decrypt(userId, profile)) ?? 'null'))
  }
  await vault.close()
  return opened
}

describe.each(serversUnderTest)('make move-log, %s', { timeout: 180_000 }, (_name, startServer) => {
  let used: UsedFolder
  let url: string
  beforeEach(async () => {
    used = await newUsedFolder()
    const server = await startServer()
    url = server.url
    onTestFinished(server.stop)
  }, 120_000)
  afterEach(() => used.remove())

  test('RS-3 keeps ids, order, times, keys and read models in both directions', async () => {
    const before = await eventsOf(used.config.eventStoreUrl)
    const profiles = await profileOf(used.config, before)
    const digests = await digestsOf(used.config)
    expect(await once(used.config, url)).toMatchObject({ events: before.length })
    const there = await eventsOf(url)
    expect(portalEvents(there).map(ownParts)).toEqual(before.map(ownParts))
    expect(portalEvents(there).map(times)).toEqual(before.map(times))
    expect(there.at(-1)).toMatchObject({ type: 'LogMoved' })
    const moved = configOf(used.config.dataDir, url)
    expect(await profileOf(moved, there)).toEqual(profiles)

    const dataDir = await used.newTarget()
    const back = configOf(dataDir)
    expect(await once(configOf(dataDir, url), back.eventStoreUrl)).toMatchObject({ events: there.length })
    const again = await eventsOf(back.eventStoreUrl)
    expect(portalEvents(again).map(ownParts)).toEqual(before.map(ownParts))
    expect(portalEvents(again).map(times)).toEqual(before.map(times))
    expect(await profileOf(back, again)).toEqual(profiles)
    expect(await digestsOf(back)).toEqual(digests)
  })

  test("RS-8 rejects a store that is not empty, and the portal's own store", async () => {
    await once(used.config, url)
    const { length } = await eventsOf(url)
    await expect(once(used.config, url)).rejects.toThrow(/^The event store is not empty: it contains events\. [^\n]+$/)
    expect(await eventsOf(url)).toHaveLength(length)
    await expect(once(used.config, used.config.eventStoreUrl)).rejects.toThrow(/^TO: the log is at [^\n]+ already$/)
    await expect(once(configOf(used.config.dataDir, url), used.config.eventStoreUrl)).rejects.toThrow(/is not empty/)
    await expect(requireCompleteStore(configOf(used.config.dataDir, url))).resolves.toBeUndefined()
  })

  const steps: readonly MoveStep[] = [
    'marked',
    'batch copied',
    'log copied',
    'keys copied',
    'copied',
    'rebuilt',
    'recorded',
  ]
  test('RS-4 killed at any step, no portal starts and the same command completes the move', async () => {
    const before = await eventsOf(used.config.eventStoreUrl)
    const { dataDir } = used.config
    const moved = configOf(dataDir, url)
    for (const step of steps) {
      const killed = await runProcess(killedRun, { DATA_DIR: dataDir, TO: url, STEP: step })
      expect({ step, signal: killed.signal }).toEqual({ step, signal: 'SIGKILL' })
      await expect(requireCompleteStore(moved)).rejects.toThrow(UnfinishedStoreError)
    }
    const started = await runProcess(standaloneMain, { DATA_DIR: dataDir, EVENT_STORE_URL: url, PORT: '0' })
    expect(started.code).toBe(1)
    expect(started.output).toMatch(
      /^A move into this event store was interrupted\. Run it again: make move-log TO=esdb:\/\/[^\n]+\n$/,
    )
    expect(await once(used.config, url)).toMatchObject({ events: before.length })
    await expect(requireCompleteStore(moved)).resolves.toBeUndefined()
    const after = await eventsOf(url)
    expect(portalEvents(after).map(ownParts)).toEqual(before.map(ownParts))
    expect(after.filter(({ type }) => type === 'LogMoved')).toHaveLength(1)
    expect(existsSync(join(dataDir, '.moving'))).toBe(false)
  })

  test('rejects a portal without a master key in one line', async () => {
    const dataDir = await used.newTarget()
    for (const name of ['events.db', 'user-keys.db']) copyFileSync(join(used.config.dataDir, name), join(dataDir, name))
    const { masterKey } = dataFiles(dataDir)
    copyFileSync(join(used.config.dataDir, 'events.db'), masterKey)
    await expect(once(configOf(dataDir), url)).rejects.toThrow(/master\.key does not hold a key/)
    expect(await eventsOf(url)).toEqual([])
  })
})
