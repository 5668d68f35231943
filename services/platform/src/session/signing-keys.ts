import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { JSONWebKeySet } from 'jose'
import type { Logger } from 'pino'
import { z } from 'zod'
import { writeSecretFile } from '../files/durable-write.ts'

/** The keys of session tokens: the newest one signs, the previous ones still verify. */
export type SigningKeys = {
  signingKey(): { readonly kid: string; readonly key: KeyObject }
  /** Undefined for an unknown or withdrawn key. */
  verificationKey(kid: string): KeyObject | undefined
  /** The public keys, for /.well-known/jwks.json. */
  jwks(): JSONWebKeySet
  /**
   * Generates a new signing key. 'keep-previous' keeps sessions valid; 'forget-previous' ends all sessions, in case a key was
   * compromised.
   */
  rotate(previous: 'keep-previous' | 'forget-previous'): void
}

/** The key file cannot be used. */
class SigningKeysError extends Error {
  override readonly name = 'SigningKeysError'
  readonly isUserFacing = true
}

type SigningKeysOptions = {
  /** Shared by all processes that verify sessions. Created on first use. */
  readonly file: string
  readonly now: () => Date
  readonly logger: Pick<Logger, 'info' | 'warn'>
}

const coordinates = { kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() }
const storedKeySchema = z.object({
  kid: z.string(),
  createdAt: z.iso.datetime(),
  jwk: z.object({ ...coordinates, d: z.string() }),
})
const fileSchema = z.object({ keys: z.array(storedKeySchema).min(1) })
type StoredKey = z.infer<typeof storedKeySchema>

/** The current key and the previous ones. Two suffice if every session ends before the second next rotation. */
const maxKeys = 3
const checkEveryMs = 1_000

const formerCount = 'former keys still count'
const formerForgotten = 'former keys no longer count: all users have to log in again'

export const openSigningKeys = ({ file, now, logger }: SigningKeysOptions): SigningKeys => {
  if (!existsSync(file)) writeKeys(file, [newKey(now())])
  let version = versionOf(file)
  const stored = readKeys(file)
  let keySet = keySetOf(stored)
  logger.info({ newest: stored[0]?.createdAt, former: stored.length - 1 }, 'session keys loaded')
  let checkedAtMs = now().getTime()

  /** Another process may have rotated the keys. Checking once a second keeps the cost off most requests. */
  const current = () => {
    const time = now().getTime()
    if (Math.abs(time - checkedAtMs) < checkEveryMs) return keySet
    checkedAtMs = time
    try {
      const found = versionOf(file)
      if (found !== version) {
        const former = keySet.signing.kid
        keySet = keySetOf(readKeys(file))
        version = found
        logger.info(`session keys changed, ${keySet.verifying.has(former) ? formerCount : formerForgotten}`)
      }
    } catch (err) {
      // The keys in memory stay valid. A restart without the file would create a new one.
      logger.warn({ err }, 'session key file unreadable, using the keys in memory')
    }
    return keySet
  }

  return {
    signingKey: () => current().signing,
    verificationKey: (kid) => current().verifying.get(kid),
    jwks: () => current().jwks,
    rotate: (previous) => {
      const kept = previous === 'keep-previous' ? readKeys(file).slice(0, maxKeys - 1) : []
      writeKeys(file, [newKey(now()), ...kept])
      keySet = keySetOf(readKeys(file))
      version = versionOf(file)
    },
  }
}

/** The prefix of keys that have only signed tokens with audience and type. */
const typedPrefix = 'at-'

/** Whether all tokens of this key have audience and type. */
export const signsTypedTokens = (kid: string): boolean => kid.startsWith(typedPrefix)

const newKey = (createdAt: Date): StoredKey => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return storedKeySchema.parse({
    kid: `${typedPrefix}${randomUUID()}`,
    createdAt: createdAt.toISOString(),
    jwk: privateKey.export({ format: 'jwk' }),
  })
}

const writeKeys = (file: string, keys: readonly StoredKey[]): void =>
  writeSecretFile(file, `${JSON.stringify({ keys }, null, 2)}\n`)

const readKeys = (file: string): readonly StoredKey[] => {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).keys
  } catch (cause) {
    // Without the message of the cause, which may quote the file.
    throw new SigningKeysError(
      `${file} does not hold session keys: restore it, or remove it to have everyone log in again`,
      {
        cause,
      },
    )
  }
}

/** Includes the inode, which changes with each write, because two writes can have the same modification time. */
const versionOf = (file: string): string => {
  const { ino, mtimeMs } = statSync(file)
  return `${ino} ${mtimeMs}`
}

const keySetOf = ([newest, ...others]: readonly StoredKey[]) => {
  if (!newest) throw new SigningKeysError('There must be at least one signing key')
  const keys = [newest, ...others]
  const publicKey = ({ jwk }: StoredKey) => createPublicKey({ key: jwk, format: 'jwk' })
  return {
    signing: { kid: newest.kid, key: createPrivateKey({ key: newest.jwk, format: 'jwk' }) },
    verifying: new Map(keys.map((key) => [key.kid, publicKey(key)])),
    jwks: {
      keys: keys.map(({ kid, jwk: { d: _private, ...half } }) => ({ ...half, kid, alg: 'ES256', use: 'sig' })),
    },
  }
}

/** A compromise between the number of requests and the speed of a rotation. */
const maxAgeSeconds = 300

export const signingKeysPath = '/.well-known/jwks.json'

/** Serves the public keys to processes that verify session tokens. */
export const serveSigningKeys = (app: FastifyInstance, signingKeys: Pick<SigningKeys, 'jwks'>): void => {
  app.get(signingKeysPath, async (_request, reply) =>
    reply
      .header('content-type', 'application/jwk-set+json; charset=utf-8')
      .header('cache-control', `public, max-age=${maxAgeSeconds}`)
      .send(JSON.stringify(signingKeys.jwks())),
  )
}
