import { LRUCache } from 'lru-cache'

const oneEach = (): number => 1

/**
 * A cache of at most `maxEntries`, which forgets what was not used for longest. It grows with its entries: with `max`, lru-cache
 * allocates room for all of them at once, which is 32 ms and several megabytes for 200,000.
 *
 * @param ttlMs how long an entry is kept, in milliseconds; forever without it.
 */
export const boundedCache = <K extends {}, V extends {}>(maxEntries: number, ttlMs?: number): LRUCache<K, V> =>
  new LRUCache<K, V>({ maxSize: maxEntries, sizeCalculation: oneEach, ...(ttlMs === undefined ? {} : { ttl: ttlMs }) })
