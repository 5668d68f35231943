/** @module-tag verify */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { pull } from '@portal/platform/testing/event-store/contract/harness'
import { openEventStoreDb } from '../../event-store/eventstoredb.ts'
import { serversUnderTest } from '@portal/platform/testing/event-store/servers'
import { startStandIn } from '@portal/engines/event-store/start'
import { openEventStoreDbVault } from '../../personal-data/eventstoredb-vault.ts'
import { systemClockAndIds } from '../../decider/clock-and-ids.ts'
import { erasedKeysInEventStoreDb } from './count-erased-keys.ts'
import { startScavenge } from './start-scavenge.ts'
import { until } from '../../../testing/until.ts'

const timeoutMs = 60_000
const count = (url: string) => erasedKeysInEventStoreDb(url, { timeoutMs })

const scavenge = async (url: string): Promise<void> => {
  expect(await startScavenge(url)).toBe('started')
  await until(async () => expect(await count(url)).toMatchObject({ keys: 0, scavengedAt: expect.any(String) }))
}

const openVault = async (url: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'scavenge-'))
  const vault = await openEventStoreDbVault({ url, masterKeyFile: join(folder, 'master.key') })
  onTestFinished(async () => {
    await vault.close()
    await rm(folder, { recursive: true })
  })
  return vault
}

describe.each(serversUnderTest)('a scavenge of EventStoreDB, %s', (_name, startServer) => {
  const start = async () => {
    const server = await startServer()
    onTestFinished(() => server.stop())
    return server
  }

  test('is needed for every key erased since the last one', async () => {
    const { url } = await start()
    const vault = await openVault(url)
    expect(await count(url)).toEqual({ keys: 0, isAtLeast: false })
    for (const user of ['ann', 'bob', 'eve']) await vault.encrypt(user, 'x')
    expect(await vault.erase('ann')).toBe('awaiting-scavenge')
    expect(await vault.erase('ann')).toBe('erased-before')
    await vault.erase('bob')
    expect(await count(url)).toEqual({ keys: 2, isAtLeast: false })

    await scavenge(url)
    expect(await count(url)).toEqual({ keys: 0, isAtLeast: false, scavengedAt: expect.any(String) })

    await vault.erase('eve')
    expect(await count(url)).toMatchObject({ keys: 1 })
  })

  test('keeps the log, its end and its positions', async () => {
    const { url } = await start()
    const vault = await openVault(url)
    const store = await openEventStoreDb({ url })
    onTestFinished(() => store.close())
    const append = (n: number) =>
      store.append('cat-a', 'any', [{ id: systemClockAndIds.newId(), type: 'Happened', data: { n } }])
    const readAll = async () => {
      const subscription = pull(store)
      const read = await subscription.untilCaughtUp()
      await subscription.stop()
      return read
    }
    for (const n of [1, 2]) {
      await vault.encrypt(`user-${n}`, 'x')
      await append(n)
      await vault.erase(`user-${n}`)
    }
    const [before, end] = [await readAll(), await store.end()]
    await scavenge(url)
    expect(await readAll()).toEqual(before)
    expect(await store.end()).toBe(end)
    await append(3)
    expect((await readAll()).events.map(({ data }) => data)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  })
})

describe('a scavenge, on the stand-in', () => {
  const isOnDisk = async (folder: string, text: string): Promise<boolean> => {
    const files = await readdir(folder)
    const held = await Promise.all(files.map(async (file) => (await readFile(join(folder, file))).includes(text)))
    return held.includes(true)
  }

  test('removes the bytes of an erased key from disk, and no others', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scavenged-'))
    const standIn = await startStandIn({ folder })
    onTestFinished(async () => {
      await standIn.stop()
      await rm(folder, { recursive: true, force: true })
    })
    const vault = await openVault(standIn.url)
    await vault.encrypt('ann', 'x')
    const sealed = await vault.encrypt('bob', 'Bob')
    const wrapped = /"wrapped":"([\w-]{20,})"/g
    const db = await readFile(join(folder, 'stand-in.db-wal'), 'latin1')
    const keys = [...new Set([...db.matchAll(wrapped)].map(([, key]) => key ?? ''))]
    expect(keys).toHaveLength(2)
    await vault.erase('ann')
    const onDisk = () => Promise.all(keys.map((key) => isOnDisk(folder, key)))
    expect(await onDisk()).toEqual([true, true])
    await scavenge(standIn.url)
    expect((await onDisk()).toSorted()).toEqual([false, true])
    expect(await vault.decrypt('bob', sealed)).toBe('Bob')
  })

  test('fails if the server does not respond', async () => {
    const standIn = await startStandIn()
    onTestFinished(() => standIn.stop())
    await standIn.command({ name: 'be-silent' })
    await expect(startScavenge(standIn.url, { timeoutMs: 100 })).rejects.toThrow('took longer than 100 ms')
  })
})
