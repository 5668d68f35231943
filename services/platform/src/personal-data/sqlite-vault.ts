import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { boundedCache } from '../cache/bounded-cache.ts'
import { watchOpenedFile } from '../files/database-file.ts'
import { createLockWait } from '../files/lock-wait.ts'
import { createKeyWiper, unwipedKeysSchema } from './destroyed-keys.ts'
import { ErasedUserError, type PersonalDataVault } from './port.ts'
import { deriveKeys, type DerivedKeys, loadMasterKey, MasterKeyError } from './master-key.ts'
import { keyBytes, decryptBytes, encryptBytes } from './encryption.ts'
import { type UserKeys, createVault } from './create-vault.ts'

type SqliteVaultOptions = {
  /** The database of wrapped user keys. Never restore it from a backup that is older than the last erasure. */
  readonly keysFile: string
  /** Created on first use, unless a key is given. */
  readonly masterKeyFile: string
  readonly masterKey?: Uint8Array | undefined
  /** How many unwrapped keys are cached. */
  readonly cachedKeys?: number
}

const putBack = 'put it back, or stop the portal and restore a backup'

/** Backups use it for the keys of every store. */
export const userKeysSchema = `
  CREATE TABLE IF NOT EXISTS user_keys (user_id TEXT PRIMARY KEY, wrapped_key BLOB, erased_at TEXT) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS master (id INTEGER PRIMARY KEY CHECK (id = 1), fingerprint TEXT NOT NULL) STRICT;
  ${unwipedKeysSchema}
`

/** Does not replace an existing key. */
export const keepKeyStatement = 'INSERT INTO user_keys (user_id, wrapped_key) VALUES (?, ?) ON CONFLICT DO NOTHING'

/** Destroys the key and prevents a new one. */
export const eraseKeyStatement = `
  INSERT INTO user_keys (user_id, erased_at) VALUES (?, ?)
  ON CONFLICT (user_id) DO UPDATE SET wrapped_key = NULL, erased_at = excluded.erased_at WHERE erased_at IS NULL`

/** User keys in a separate SQLite database, wrapped by the master key. */
export const openSqliteVault = (options: SqliteVaultOptions): PersonalDataVault => {
  const database = openDatabase(options.keysFile)
  try {
    const keys = masterKeysOf(database, options)
    return createVault(userKeys(database, keys.wrapping, options), keys.index)
  } catch (error) {
    database.close()
    throw error
  }
}

const openDatabase = (file: string): DatabaseSync => {
  // Created before SQLite opens it: SQLite's auxiliary files inherit the permissions.
  closeSync(openSync(file, 'a', 0o600))
  // Callers wait for a lock without blocking the event loop (lock-wait.ts).
  const database = new DatabaseSync(file, { timeout: 0 })
  // secure_delete overwrites a destroyed key instead of only freeing its page.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;')
  database.exec(userKeysSchema)
  return database
}

/** Derives the keys from the master key. Throws MasterKeyError if it is not the key of this database. */
const masterKeysOf = (database: DatabaseSync, options: SqliteVaultOptions): DerivedKeys => {
  const recorded = database.prepare('SELECT fingerprint FROM master').get()?.['fingerprint']
  const master = options.masterKey ?? loadMasterKey(options.masterKeyFile, recorded === undefined)
  const keys = deriveKeys(master)
  if (recorded === undefined) {
    database.prepare('INSERT INTO master (id, fingerprint) VALUES (1, ?)').run(keys.fingerprint)
  } else if (recorded !== keys.fingerprint) {
    const source = options.masterKey ? 'MASTER_KEY' : options.masterKeyFile
    throw new MasterKeyError(`${source} is not the key that ${options.keysFile} was made with: restore the right one`)
  }
  return keys
}

const userKeys = (
  database: DatabaseSync,
  wrappingKey: Uint8Array,
  { keysFile, cachedKeys = 20_000 }: SqliteVaultOptions,
): UserKeys => {
  const lock = createLockWait(keysFile)
  const checkFile = watchOpenedFile(keysFile, putBack)
  const find = database.prepare('SELECT wrapped_key, erased_at FROM user_keys WHERE user_id = ?')
  const insert = database.prepare(keepKeyStatement)
  const erase = database.prepare(eraseKeyStatement)
  const markUnwiped = database.prepare('INSERT INTO unwiped_keys (user_id) VALUES (?) ON CONFLICT DO NOTHING')
  const unwrapped = boundedCache<string, Uint8Array>(cachedKeys)
  const wiper = createKeyWiper(database)
  wiper.wipe()

  const change = <T>(work: () => T): Promise<T> =>
    lock.run(() => {
      checkFile()
      return inTransaction(database, work)
    })

  const eraseAndMarkUnwiped = (userId: string): Promise<boolean> =>
    change(() => {
      const isNew = Number(erase.run(userId, new Date().toISOString()).changes) > 0
      if (isNew) markUnwiped.run(userId)
      return isNew
    })

  const stored = (userId: string): Uint8Array | 'erased' | 'none' => {
    const row = find.get(userId)
    if (!row) return 'none'
    const wrapped = row['wrapped_key']
    if (!(wrapped instanceof Uint8Array)) return 'erased'
    const key = decryptBytes(wrappingKey, userId, wrapped)
    unwrapped.set(userId, key)
    return key
  }
  const createKey = batchKeyCreation((userIds) =>
    change(() => {
      for (const userId of userIds) insert.run(userId, encryptBytes(wrappingKey, userId, randomBytes(keyBytes)))
    }),
  )
  return {
    encryptionKey: async (userId) => {
      const known = unwrapped.get(userId)
      if (known) return known
      if (stored(userId) === 'none') await createKey(userId)
      // Read back: if another process was first, its key counts.
      const key = stored(userId)
      if (key === 'erased' || key === 'none') throw new ErasedUserError()
      return key
    },
    decryptionKey: async (userId) => {
      const known = unwrapped.get(userId)
      if (known) return known
      const found = stored(userId)
      return found === 'erased' || found === 'none' ? undefined : found
    },
    destroy: async (userId) => {
      const isNew = await eraseAndMarkUnwiped(userId)
      unwrapped.delete(userId)
      const isWiped = wiper.wipe()
      if (!isNew) return 'erased-before'
      return isWiped ? 'gone' : 'held-by-reader'
    },
    check: () => change(() => undefined),
    close: async () => {
      wiper.stop()
      if (database.isOpen) database.close()
    },
  }
}

export const inTransaction = <T>(database: DatabaseSync, work: () => T): T => {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Keys requested in the same turn of the event loop share one transaction. */
const batchKeyCreation = (make: (userIds: readonly string[]) => Promise<void>) => {
  let waiting: string[] = []
  let committed: Promise<void> | undefined

  const commit = (): Promise<void> => {
    const userIds = waiting
    waiting = []
    committed = undefined
    return make(userIds)
  }
  return (userId: string): Promise<void> => {
    waiting.push(userId)
    committed ??= nextTurn().then(commit)
    return committed
  }
}
