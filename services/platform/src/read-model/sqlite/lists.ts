import { LRUCache } from 'lru-cache'
import type { DatabaseSync } from 'node:sqlite'

export type Lists = {
  /** The list's number, or undefined when nothing was ever added to it. */
  find(partition: string, name: string): number | undefined
  /** Inside a transaction: the list's number, given to it if need be. */
  findOrMake(partition: string, name: string): number
  /** After a rollback, which takes back the numbers given. */
  clear(): void
}

/** Lists go by number in the tables; names are long and stand in every index otherwise. A number is given once, for good. */
export const prepareLists = (db: DatabaseSync): Lists => {
  const select = db.prepare('SELECT id FROM lists WHERE partition = ? AND name = ?')
  const insert = db.prepare('INSERT INTO lists (partition, name) VALUES (?, ?)')
  const known = new LRUCache<string, number>({ max: 50_000 })

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
    findOrMake: (partition, name) => find(partition, name) ?? Number(insert.run(partition, name).lastInsertRowid),
    clear: () => known.clear(),
  }
}
