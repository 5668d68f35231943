import { DatabaseSync } from 'node:sqlite'
import { withDatabase } from '../files/database-file.ts'
import { decryptBytes } from '../personal-data/encryption.ts'
import { readUserKeys } from '../personal-data/stored-user-keys.ts'
import type { ErasureRecord } from '../personal-data/erasure-log.ts'
import { eraseKeyStatement, keepKeyStatement, userKeysSchema } from '../personal-data/sqlite-vault.ts'

type UserKeysSummary = {
  /** The fingerprint of the master key; undefined before the first key was created. */
  readonly masterKey: string | undefined
  readonly keys: number
  readonly erased: number
}

export type KeyRecord =
  | { readonly kind: 'master'; readonly fingerprint: string }
  | { readonly kind: 'key'; readonly userId: string; readonly wrapped: Uint8Array }
  /** Invalidates every key of the user. */
  | { readonly kind: 'erased'; readonly userId: string; readonly erasedAt: string }

const numberIn = (value: unknown): number => {
  if (typeof value !== 'number') throw new TypeError('SQLite counts in numbers')
  return value
}

/** Counts the keys in a copy of the vault's database. */
export const summarizeUserKeys = (path: string): UserKeysSummary =>
  withDatabase(path, { readOnly: true }, (db) => {
    const counts = db.prepare('SELECT count(wrapped_key) AS keys, count(erased_at) AS erased FROM user_keys').get()
    const fingerprint = db.prepare('SELECT fingerprint FROM master').get()?.['fingerprint']
    return {
      masterKey: typeof fingerprint === 'string' ? fingerprint : undefined,
      keys: numberIn(counts?.['keys']),
      erased: numberIn(counts?.['erased']),
    }
  })

/** Writes keys of another store into a database with the format of the SQLite vault. */
export const writeUserKeysFile = async (path: string, records: AsyncIterable<KeyRecord>): Promise<void> => {
  const db = new DatabaseSync(path)
  try {
    db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${userKeysSchema}`)
    const setMaster = db.prepare('INSERT INTO master (id, fingerprint) VALUES (1, ?) ON CONFLICT DO NOTHING')
    const addKey = db.prepare(keepKeyStatement)
    const erase = db.prepare(eraseKeyStatement)
    db.exec('BEGIN')
    for await (const record of records) {
      if (record.kind === 'master') setMaster.run(record.fingerprint)
      else if (record.kind === 'key') addKey.run(record.userId, record.wrapped)
      else erase.run(record.userId, record.erasedAt)
    }
    db.exec('COMMIT')
  } finally {
    db.close()
  }
}

const isDecryptable = (wrapping: Uint8Array, userId: string, wrapped: Uint8Array): boolean => {
  try {
    decryptBytes(wrapping, userId, wrapped)
    return true
  } catch {
    return false
  }
}

/** Counts the keys in a copy of the vault's database that this key does not unwrap. */
export const countUndecryptableKeys = (path: string, wrapping: Uint8Array): number => {
  let count = 0
  for (const keys of readUserKeys(path))
    for (const key of keys) if (key.kind === 'wrapped' && !isDecryptable(wrapping, key.userId, key.wrapped)) count += 1
  return count
}

/** Counts the users who still have a key in a copy of the vault's database. */
export const countHeldKeys = (path: string, erasures: readonly ErasureRecord[]): number =>
  withDatabase(path, { readOnly: true }, (db) => {
    const held = db.prepare('SELECT 1 FROM user_keys WHERE user_id = ? AND wrapped_key IS NOT NULL')
    return erasures.filter(({ userId }) => held.get(userId) !== undefined).length
  })

/** Destroys the keys of these users in a copy of the vault's database. Returns the number of keys it held. */
export const forgetKeys = (path: string, erasures: readonly ErasureRecord[]): number =>
  withDatabase(path, {}, (db) => {
    db.exec('PRAGMA secure_delete = ON')
    const held = db.prepare('SELECT 1 FROM user_keys WHERE user_id = ? AND wrapped_key IS NOT NULL')
    const erase = db.prepare(eraseKeyStatement)
    let forgotten = 0
    db.exec('BEGIN')
    for (const { userId, erasedAt } of erasures) {
      if (held.get(userId) !== undefined) forgotten += 1
      erase.run(userId, erasedAt)
    }
    // Free pages can still contain a key.
    db.exec('COMMIT; VACUUM')
    return forgotten
  })
