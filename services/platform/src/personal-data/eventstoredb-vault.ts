import { randomBytes, randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
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

export type EventStoreDbVaultOptions = {
  readonly url: string
  /** Made on first use, unless a key is given. */
  readonly masterKeyFile: string
  readonly masterKey?: Uint8Array | undefined
  /** How many unwrapped keys are kept in memory, and how long: so long at most an erasure by another process takes. */
  readonly cachedKeys?: number
  readonly keysKeptMs?: number
}

// No category: no subscription to the log sees a key.
export const streamOfUser = (userId: string): string => {
  if (userId.startsWith('!')) throw new Error('Not a user id')
  return `userkey!${userId}`
}
const keyStream = /^userkey!(?!!)(.+)$/s
const masterStream = 'userkey!!master'

/** Whose key a stream holds; undefined for a stream that holds none. */
export const userIdOfStream = (stream: string): { readonly userId: string } | 'master' | undefined => {
  if (stream === masterStream) return 'master'
  const userId = keyStream.exec(stream)?.[1]
  return userId === undefined ? undefined : { userId }
}

export const keyMade = z.object({ wrapped: z.base64url() })
export const masterKeyChosen = z.object({ fingerprint: z.string() })

/** So many calls at once: a page or a projection may ask for many users. */
const callsAtOnce = 32

export const keyAccess = (engine: Engine) => {
  const withPermit = createSemaphore(callsAtOnce)
  return {
    /** The data of the only event of a stream. Throws StreamTombstonedError if the stream was tombstoned. */
    read: (stream: string): Promise<unknown> =>
      withPermit(() =>
        engine.retryShortOutages(async (leftMs) => {
          for await (const { data } of itemsOf(engine.readStream(stream, 0, 1), leftMs)) return data
          return undefined
        }),
      ),
    /** Whether it was first: a stream takes one event. */
    begin: async (stream: string, type: string, data: object): Promise<boolean> => {
      const event = { id: randomUUID(), type, data: JSON.stringify(data), metadata: null }
      const answer = await withPermit(() => appendWithRetry(engine, stream, -1, [event]))
      return answer.kind === 'written'
    },
    /** False for a stream that had ended before. */
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

/** The fingerprint of the master key that the keys in this EventStoreDB are wrapped with; undefined where none was ever made. */
export const fingerprintInEventStoreDb = async (url: string): Promise<string | undefined> => {
  const engine = connectTo(url)
  try {
    return await recordedFingerprint(keyAccess(engine))
  } finally {
    await engine.close()
  }
}

/** The master key's children, once it is certain that it is the key that the users' keys are wrapped with. */
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
  { cachedKeys = 20_000, keysKeptMs = 60_000 }: EventStoreDbVaultOptions,
): UserKeys => {
  const known = new LRUCache<string, Exclude<Found, 'none'>>({ max: cachedKeys, ttl: keysKeptMs })
  const asked = new Map<string, Promise<Found>>()

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
  const readAndKeep = async (userId: string): Promise<Found> => {
    const found = await read(userId)
    // Erased while it was read.
    if (known.peek(userId) === 'erased') return 'erased'
    if (found !== 'none') known.set(userId, found)
    return found
  }
  /** Those who ask for a key at the same time share the answer. */
  const find = (userId: string): Promise<Found> => {
    const held = known.get(userId)
    if (held !== undefined) return Promise.resolve(held)
    const under = asked.get(userId)
    if (under !== undefined) return under
    const finding = readAndKeep(userId).finally(() => asked.delete(userId))
    asked.set(userId, finding)
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
        // Read anew: another process may have been first, and then its key is the one.
        found = await readAndKeep(userId)
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
    close: () => engine.close(),
  }
}

/**
 * User keys in EventStoreDB, wrapped by the master key: each is the one event of a stream of its own, and erasing a user ends that
 * stream for good. Its bytes go from the disk when the database is scavenged.
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
