import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { pull } from '@portal/platform/testing/event-store/contract/harness'
import { EventStoreUnavailableError } from '../event-store/errors.ts'
import { openEventStoreDb } from '../event-store/eventstoredb.ts'
import { serversUnderTest } from '@portal/platform/testing/event-store/servers'
import { ErasedUserError } from './port.ts'
import { openEventStoreDbVault } from './eventstoredb-vault.ts'
import { vaultContract } from '@portal/platform/testing/personal-data/vault-contract'
import { until } from '../../testing/until.ts'

describe.each(serversUnderTest)('the vault in EventStoreDB, %s', (name, startServer) => {
  vaultContract(`EventStoreDB, ${name},`, async () => {
    let server = await startServer()
    return {
      open: (_folder, options) => openEventStoreDbVault({ url: server.url, ...options }),
      reset: async () => {
        await server.stop()
        server = await startServer()
      },
      dispose: () => server.stop(),
    }
  })

  const start = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vault-'))
    const server = await startServer()
    onTestFinished(async () => {
      await server.stop()
      await rm(folder, { recursive: true })
    })
    const open = async (cacheMs = 60_000) => {
      const vault = await openEventStoreDbVault({
        url: server.url,
        masterKeyFile: join(folder, 'master.key'),
        cacheMs,
      })
      onTestFinished(() => vault.close())
      return vault
    }
    return { server, open }
  }

  test('processes that start at the same time agree on the master key', async () => {
    const { open } = await start()
    const vaults = await Promise.all(Array.from({ length: 6 }, () => open()))
    expect(new Set(vaults.map((vault) => vault.index('email', 'ann@example.com'))).size).toBe(1)
  })

  test('processes that encrypt for a user at the same time use one key', async () => {
    const { open } = await start()
    const vaults = await Promise.all(Array.from({ length: 4 }, () => open()))
    const encrypted = await Promise.all(vaults.map((vault) => vault.encrypt('ann', 'Ann Lee')))
    for (const vault of vaults) {
      for (const text of encrypted) expect(await vault.decrypt('ann', text)).toBe('Ann Lee')
    }
  })

  test('an erasure by another process takes effect when the cached key expires', async () => {
    const { open } = await start()
    const [eraser, other] = [await open(), await open(20)]
    const encrypted = await other.encrypt('ann', 'Ann Lee')
    expect(await other.decrypt('ann', encrypted)).toBe('Ann Lee')
    await eraser.erase('ann')
    expect(await eraser.decrypt('ann', encrypted)).toBeUndefined()
    await until(async () => expect(await other.decrypt('ann', encrypted)).toBeUndefined())
    await expect(other.encrypt('ann', 'again')).rejects.toThrow(ErasedUserError)
  })

  test('neither keys nor tombstones are part of the log', async () => {
    const { open, server } = await start()
    const vault = await open()
    await vault.encrypt('ann', 'Ann Lee')
    await vault.erase('ann')
    const store = await openEventStoreDb({ url: server.url })
    const subscription = pull(store)
    expect(await subscription.untilCaughtUp()).toEqual({ events: [], position: 'start' })
    await subscription.stop()
    await store.close()
  })

  test('a lost response changes nothing, and an outage is an error and not an erasure', async () => {
    const { open, server } = await start()
    const vault = await open(1)
    server.dropResponses(1)
    const encrypted = await vault.encrypt('ann', 'Ann Lee')
    expect(await (await open()).decrypt('ann', encrypted)).toBe('Ann Lee')
    server.refuse()
    await until(() => expect(vault.decrypt('ann', encrypted)).rejects.toThrow(EventStoreUnavailableError))
    server.serve()
    expect(await vault.decrypt('ann', encrypted)).toBe('Ann Lee')
  })
})
