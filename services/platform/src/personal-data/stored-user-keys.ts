import { existsSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { withDatabase } from '../files/database-file.ts'

/** A stored user key: wrapped by the master key, or destroyed. */
export type StoredUserKey =
  | { readonly kind: 'wrapped'; readonly userId: string; readonly wrapped: Uint8Array }
  | { readonly kind: 'erased'; readonly userId: string; readonly erasedAt: string }

const keyFrom = (row: Record<string, SQLOutputValue>): StoredUserKey => {
  const { user_id: userId, wrapped_key: wrapped, erased_at: erasedAt } = row
  if (typeof userId !== 'string') throw new TypeError('The database of user keys has a row that is not a key')
  if (wrapped instanceof Uint8Array) return { kind: 'wrapped', userId, wrapped }
  if (typeof erasedAt !== 'string') throw new TypeError('The database of user keys has a row that is not a key')
  return { kind: 'erased', userId, erasedAt }
}

/** All keys, in batches. No process may write to the database meanwhile. */
export function* readUserKeys(file: string, batch = 500): Generator<readonly StoredUserKey[], void, undefined> {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  try {
    const page = database.prepare('SELECT * FROM user_keys WHERE user_id > ? ORDER BY user_id LIMIT ?')
    let after = ''
    for (;;) {
      const keys = page.all(after, batch).map(keyFrom)
      if (keys.length > 0) yield keys
      if (keys.length < batch) return
      after = keys.at(-1)?.userId ?? after
    }
  } finally {
    database.close()
  }
}

/** The fingerprint of the master key that wraps the keys; undefined if there is none yet. */
export const fingerprintOfKeys = (file: string): string | undefined => {
  if (!existsSync(file)) return undefined
  return withDatabase(file, { readOnly: true, timeout: 5_000 }, (database) => {
    const hasTable = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'master'").get() !== undefined
    const recorded = hasTable ? database.prepare('SELECT fingerprint FROM master').get()?.['fingerprint'] : undefined
    return typeof recorded === 'string' ? recorded : undefined
  })
}
