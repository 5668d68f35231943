import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { EventStore } from '../event-store/port.ts'
import { openSqliteEventStore } from '../event-store/sqlite.ts'
import { requireUserKeys } from './require-user-keys.ts'
import { openSqliteVault } from './sqlite-vault.ts'

let folder: string
let log: EventStore
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'user-keys-'))
  log = openSqliteEventStore({ path: ':memory:' })
})
afterEach(async () => {
  await log.close()
  rmSync(folder, { recursive: true })
})

const keysFile = (name = 'user-keys.db') => join(folder, name)
const vaultAt = (file: string) => openSqliteVault({ keysFile: file, masterKeyFile: join(folder, 'master.key') })
const record = (stream: string) => log.append(stream, 'any', [{ id: randomUUID(), type: 'Recorded', data: {} }])
const register = async (userId: string, file = keysFile()) => {
  const vault = vaultAt(file)
  await vault.encrypt(userId, 'Ann')
  await vault.close()
  await record(`user-${userId}`)
}

it('accepts a first start, and a log without users', async () => {
  await expect(requireUserKeys(log, keysFile())).resolves.toBeUndefined()
  await record('university-directory')
  await expect(requireUserKeys(log, keysFile())).resolves.toBeUndefined()
  expect(existsSync(keysFile())).toBe(false)
})

it('accepts the keys of the users, including erased ones', async () => {
  const userId = randomUUID()
  await register(userId)
  await expect(requireUserKeys(log, keysFile())).resolves.toBeUndefined()
  const vault = vaultAt(keysFile())
  await vault.erase(userId)
  await vault.close()
  await expect(requireUserKeys(log, keysFile())).resolves.toBeUndefined()
})

it('rejects missing keys, and creates none', async () => {
  await register(randomUUID())
  rmSync(keysFile())
  await expect(requireUserKeys(log, keysFile())).rejects.toThrow('is missing, but the event store has users')
  expect(existsSync(keysFile())).toBe(false)
})

it('rejects the keys of another portal, and an empty database', async () => {
  await register(randomUUID())
  const other = vaultAt(keysFile('other.db'))
  await other.encrypt(randomUUID(), 'Bob')
  await other.close()
  await expect(requireUserKeys(log, keysFile('other.db'))).rejects.toThrow(
    "does not hold the keys of the event store's",
  )
  await vaultAt(keysFile('new.db')).close()
  await expect(requireUserKeys(log, keysFile('new.db'))).rejects.toMatchObject({ isUserFacing: true })
})
