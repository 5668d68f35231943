import { DatabaseSync } from 'node:sqlite'
import { connectTo } from '../event-store/eventstoredb/client.ts'
import { StreamTombstonedError } from '../event-store/eventstoredb/map-error.ts'
import { keyAccess, openEventStoreDbVault, streamOfUser } from './eventstoredb-vault.ts'
import { eraseKeyStatement, inTransaction, keepKeyStatement, openSqliteVault } from './sqlite-vault.ts'
import type { StoredUserKey } from './stored-user-keys.ts'

/** The destination of a copy of user keys. */
export type UserKeysTarget = {
  /** Durable when it resolves. A key that was destroyed in the target stays destroyed. */
  put(keys: readonly StoredUserKey[]): Promise<void>
  close(): Promise<void>
}

type TargetOptions = {
  /** The key that wraps the user keys. Opening throws MasterKeyError if the target has keys of another one. */
  readonly masterKey: Uint8Array
  readonly masterKeyFile: string
}

/** A SQLite database, created if it is missing. */
export const sqliteKeysTarget = async (keysFile: string, options: TargetOptions): Promise<UserKeysTarget> => {
  // Creates the tables and checks the master key.
  await openSqliteVault({ keysFile, ...options }).close()
  const database = new DatabaseSync(keysFile, { timeout: 5_000 })
  database.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;')
  const keep = database.prepare(keepKeyStatement)
  const erase = database.prepare(eraseKeyStatement)
  return {
    put: async (keys) =>
      inTransaction(database, () => {
        for (const key of keys) {
          if (key.kind === 'wrapped') keep.run(key.userId, key.wrapped)
          else erase.run(key.userId, key.erasedAt)
        }
      }),
    close: async () => database.close(),
  }
}

/** EventStoreDB, with one stream per key. */
export const eventStoreDbKeysTarget = async (url: string, options: TargetOptions): Promise<UserKeysTarget> => {
  // Records or checks the master key.
  await (await openEventStoreDbVault({ url, ...options })).close()
  const engine = connectTo(url)
  const access = keyAccess(engine)
  const put = async (key: StoredUserKey): Promise<void> => {
    const stream = streamOfUser(key.userId)
    if (key.kind === 'erased') return void (await access.end(stream))
    try {
      await access.begin(stream, 'UserKeyMade', { wrapped: Buffer.from(key.wrapped).toString('base64url') })
    } catch (error) {
      if (!(error instanceof StreamTombstonedError)) throw error
    }
  }
  return {
    put: async (keys) => void (await Promise.all(keys.map(put))),
    close: engine.close,
  }
}
