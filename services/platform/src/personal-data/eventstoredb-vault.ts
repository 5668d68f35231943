import { randomBytes, randomUUID } from 'node:crypto'
import { boundedCache } from '../cache/bounded-cache.ts'
import { z } from 'zod'
import { connectTo, type Engine } from '../event-store/eventstoredb/client.ts'
import { StreamTombstonedError } from '../event-store/eventstoredb/map-error.ts'
import { itemsOf } from '../event-store/eventstoredb/read.ts'
import { createSemaphore } from '../async/semaphore.ts'
import { appendWithRetry } from '../event-store/eventstoredb/append-with-retry.ts'
import { ErasedUserError, type PersonalDataVault } from './port.ts'
import { deriveKeys, type DerivedKeys, loadMasterKey, MasterKeyError } from './master-key.ts'
import { keyBytes, decryptBytes, encryptBytes } from './encryption.ts'
import { type UserKeys, createVault } from './create-vault.ts'

type EventStoreDbVaultOptions = {
  readonly url: string
  /** Created on first use, unless a key is given. */
  readonly masterKeyFile: string
  readonly masterKey?: Uint8Array | undefined
  /** How many unwrapped keys are cached, and for how long. An erasure by another process takes effect after that time at most. */
  readonly cachedKeys?: number
  readonly cacheMs?: number
}

// Without a category, so that no subscription to the log receives a key.
export const streamOfUser = (userId: string): string => {
  if (userId.startsWith('!')) throw new Error('Not a user id')
  return `userkey!${userId}`
}
const keyStream = /^userkey!(?!!)(.+)$/s
const masterStream = 'userkey!!master'

/** The owner of the key in a stream; undefined for a stream without a key. */
export const userIdOfStream = (stream: string): { readonly userId: string } | 'master' | undefined => {
  if (stream === masterStream) return 'master'
  const userId = keyStream.exec(stream)?.[1]
  return userId === undefined ? undefined : { userId }
}

export const keyMade = z.object({ wrapped: z.base64url() })
export const masterKeyChosen = z.object({ fingerprint: z.string() })

/** Concurrent calls: a page or a projection can need the keys of many users. */
const maxConcurrency = 32

export const keyAccess = (engine: Engine) => {
  const withPermit = createSemaphore(maxConcurrency)
  return {
    /** The data of the only event of a stream. Throws StreamTombstonedError if the stream was tombstoned. */
    read: (stream: string): Promise<unknown> =>
      withPermit(() =>
        engine.retryShortOutages(async (leftMs) => {
          for await (const { data } of itemsOf(engine.readStream(stream, 0, 1), leftMs)) return data
          return undefined
        }),
      ),
    /** Appends the only event of a stream. Returns false if another process was first. */
    begin: async (stream: string, type: string, data: object): Promise<boolean> => {
      const event = { id: randomUUID(), type, data: JSON.stringify(data), metadata: null }
      const answer = await withPermit(() => appendWithRetry(engine, stream, -1, [event]))
      return answer.kind === 'written'
    },
    /** Tombstones a stream. Returns false if it was tombstoned before. */
    end: async (stream: string): Promise<boolean> => {
      try {
        await withPermit(() => engine.retryShortOutages((leftMs) => engine.tombstone(stream, leftMs)))
        return true
      } catch (error) {
        if (error instanceof StreamTombstonedError) return false
        throw error
      }
    },
  }
}
type KeyAccess = ReturnType<typeof keyAccess>

const recordedFingerprint = async (access: KeyAccess): Promise<string | undefined> => {
  const data = await access.read(masterStream)
  return data === undefined ? undefined : masterKeyChosen.parse(data).fingerprint
}

/** The fingerprint of the master key that wraps the keys in this EventStoreDB; undefined if there is none yet. */
export const fingerprintInEventStoreDb = async (url: string): Promise<string | undefined> => {
  const engine = connectTo(url)
  try {
    return await recordedFingerprint(keyAccess(engine))
  } finally {
    await engine.close()
  }
}

/** Derives the keys from the master key. Throws MasterKeyError if it is not the key that wraps the users' keys. */
const masterKeysOf = async (access: KeyAccess, options: EventStoreDbVaultOptions): Promise<DerivedKeys> => {
  const before = await recordedFingerprint(access)
  const keys = deriveKeys(options.masterKey ?? loadMasterKey(options.masterKeyFile, before === undefined))
  const isChosen =
    before === undefined && (await access.begin(masterStream, 'MasterKeyChosen', { fingerprint: keys.fingerprint }))
  if (isChosen) return keys
  if ((before ?? (await recordedFingerprint(access))) !== keys.fingerprint) {
    const source = options.masterKey ? 'MASTER_KEY' : options.masterKeyFile
    throw new MasterKeyError(
      `${source} is not the key that the users' keys in EventStoreDB were made with: restore the right one`,
    )
  }
  return keys
}

type Found = { readonly key: Uint8Array } | 'erased' | 'none'

const userKeys = (
  engine: Engine,
  access: KeyAccess,
  wrappingKey: Uint8Array,
  { cachedKeys = 20_000, cacheMs = 60_000 }: EventStoreDbVaultOptions,
): UserKeys => {
  const known = boundedCache<string, Exclude<Found, 'none'>>(cachedKeys, cacheMs)
  const reads = new Map<string, Promise<Found>>()

  const read = async (userId: string): Promise<Found> => {
    try {
      const data = await access.read(streamOfUser(userId))
      if (data === undefined) return 'none'
      return { key: decryptBytes(wrappingKey, userId, Buffer.from(keyMade.parse(data).wrapped, 'base64url')) }
    } catch (error) {
      if (error instanceof StreamTombstonedError) return 'erased'
      throw error
    }
  }
  const readAndCache = async (userId: string): Promise<Found> => {
    const found = await read(userId)
    // The user was erased during the read.
    if (known.peek(userId) === 'erased') return 'erased'
    if (found !== 'none') known.set(userId, found)
    return found
  }
  /** Concurrent calls for one key share the read. */
  const find = (userId: string): Promise<Found> => {
    const cached = known.get(userId)
    if (cached !== undefined) return Promise.resolve(cached)
    const pending = reads.get(userId)
    if (pending !== undefined) return pending
    const finding = readAndCache(userId).finally(() => reads.delete(userId))
    reads.set(userId, finding)
    return finding
  }
  const make = async (userId: string): Promise<void> => {
    const wrapped = encryptBytes(wrappingKey, userId, randomBytes(keyBytes)).toString('base64url')
    try {
      await access.begin(streamOfUser(userId), 'UserKeyMade', { wrapped })
    } catch (error) {
      if (!(error instanceof StreamTombstonedError)) throw error
    }
  }

  return {
    encryptionKey: async (userId) => {
      let found = await find(userId)
      if (found === 'none') {
        await make(userId)
        // Read again: if another process was first, its key counts.
        found = await readAndCache(userId)
      }
      if (found === 'erased' || found === 'none') throw new ErasedUserError()
      return found.key
    },
    decryptionKey: async (userId) => {
      const found = await find(userId)
      return found === 'erased' || found === 'none' ? undefined : found.key
    },
    destroy: async (userId) => {
      const isNew = await access.end(streamOfUser(userId))
      known.set(userId, 'erased')
      return isNew ? 'awaiting-scavenge' : 'erased-before'
    },
    check: async () => {},
    close: () => engine.close(),
  }
}

/**
 * User keys in EventStoreDB, wrapped by the master key. Each key is the only event of its stream, and erasing a user tombstones the
 * stream. A scavenge of the database removes its bytes from disk.
 */
export const openEventStoreDbVault = async (options: EventStoreDbVaultOptions): Promise<PersonalDataVault> => {
  const engine = connectTo(options.url)
  try {
    const access = keyAccess(engine)
    const keys = await masterKeysOf(access, options)
    return createVault(userKeys(engine, access, keys.wrapping, options), keys.index)
  } catch (error) {
    await engine.close()
    throw error
  }
}
