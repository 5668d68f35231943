import { boundedCache } from '../../cache/bounded-cache.ts'
import type { DatabaseSync } from 'node:sqlite'

export type Lists = {
  /** The list's number; undefined if nothing was ever added to it. */
  find(partition: string, name: string): number | undefined
  /** Returns the list's number, which it assigns if necessary. Call it inside a transaction. */
  findOrCreate(partition: string, name: string): number
  /** Clears the cache after a rollback, which undoes assigned numbers. */
  clear(): void
}

/** Tables refer to lists by number, because names are long and would be in every index. A number never changes. */
export const prepareLists = (db: DatabaseSync): Lists => {
  const select = db.prepare('SELECT id FROM lists WHERE partition = ? AND name = ?')
  const insert = db.prepare('INSERT INTO lists (partition, name) VALUES (?, ?)')
  const known = boundedCache<string, number>(50_000)

  const find = (partition: string, name: string): number | undefined => {
    // The length keeps ('a', 'bc') and ('ab', 'c') apart.
    const key = `${partition.length}:${partition}${name}`
    const cached = known.get(key)
    if (cached !== undefined) return cached
    const id = select.get(partition, name)?.['id']
    if (typeof id !== 'number') return undefined
    known.set(key, id)
    return id
  }

  return {
    find,
    findOrCreate: (partition, name) => find(partition, name) ?? Number(insert.run(partition, name).lastInsertRowid),
    clear: () => known.clear(),
  }
}
