import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openEventStoreDb } from '../event-store/eventstoredb.ts'
import { readLogToEnd } from '../event-store/read-log-to-end.ts'
import { serversUnderTest } from '@portal/platform/testing/event-store/servers'
import { ErasedUserError } from '../personal-data/port.ts'
import { openEventStoreDbVault } from '../personal-data/eventstoredb-vault.ts'
import { openSqliteVault } from '../personal-data/sqlite-vault.ts'
import { eventStoreDbSource } from './eventstoredb-source.ts'
import { makeBackup } from './make-backup.ts'
import { openBackup } from './open-backup.ts'
import { collect } from '../../testing/backup/sample-backup.ts'
import { summarizeUserKeys } from './user-keys-file.ts'

describe.each(serversUnderTest)('a backup of EventStoreDB, %s', (_name, startServer) => {
  const start = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'backup-'))
    const server = await startServer()
    const masterKeyFile = join(folder, 'master.key')
    const store = await openEventStoreDb({ url: server.url })
    const vault = await openEventStoreDbVault({ url: server.url, masterKeyFile })
    onTestFinished(async () => {
      await vault.close()
      await store.close()
      await server.stop()
      await rm(folder, { recursive: true })
    })
    const backUp = async () => {
      const source = await eventStoreDbSource(server.url)
      try {
        return await makeBackup({
          source,
          folder: join(folder, 'backups'),
          served: [],
          now: new Date(),
          signal: new AbortController().signal,
        })
      } finally {
        await source.close()
      }
    }
    return { folder, masterKeyFile, store, vault, backUp }
  }

  test('BK-2 BK-4 has every event at its position, and the keys of users who are not erased', async () => {
    const { folder, masterKeyFile, store, vault, backUp } = await start()
    for (let n = 0; n < 40; n++) {
      const event = { id: randomUUID(), type: 'Noted', data: { n }, metadata: { actorId: 'me' } }
      await store.append(`note-${n % 4}`, 'any', [event])
    }
    const sealed = await vault.encrypt('anna', 'Anna')
    await vault.encrypt('ben', 'Ben')
    await vault.erase('ben')
    // An erased user who never had a key.
    await vault.erase('clara')

    const { path, manifest } = await backUp()
    const events = await collect(readLogToEnd(store))
    expect(events).toHaveLength(40)
    const last = events.at(-1)
    expect(manifest).toMatchObject({
      store: 'eventstoredb',
      log: { events: 40, end: { position: last?.position, eventId: last?.id } },
      people: { keys: 1, erased: 2 },
    })

    const backup = await openBackup(path)
    if (!backup.ok) throw new Error(backup.message)
    const unpacked = await backup.unpack(join(folder, 'unpacked'))
    const log = await unpacked.openLog()
    expect(await collect(readLogToEnd(log))).toEqual(events)
    expect(await log.end()).toBe(last?.position)
    await log.close()
    expect(summarizeUserKeys(unpacked.userKeysFile)).toEqual({ masterKey: manifest.masterKey, keys: 1, erased: 2 })
    // The file is a SQLite vault with the same master key.
    const copy = openSqliteVault({ keysFile: unpacked.userKeysFile, masterKeyFile })
    expect(await copy.decrypt('anna', sealed)).toBe('Anna')
    await expect(copy.encrypt('ben', 'again')).rejects.toThrow(ErasedUserError)
    await copy.close()
    expect((await readFile(path)).includes((await readFile(masterKeyFile, 'utf8')).trim())).toBe(false)
  })

  test('is rejected for a portal without keys', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'backup-'))
    const server = await startServer()
    const source = await eventStoreDbSource(server.url)
    onTestFinished(async () => {
      await source.close()
      await server.stop()
      await rm(folder, { recursive: true })
    })
    const making = makeBackup({ source, folder, served: [], now: new Date(), signal: new AbortController().signal })
    await expect(making).rejects.toThrow('There are no keys to back up')
  })
})
