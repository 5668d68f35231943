import { createPublicKey, type KeyObject } from 'node:crypto'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { VerificationKeys } from './session-tokens.ts'
import { signingKeysPath } from './signing-keys.ts'

/** How long a key that auth has withdrawn still counts here. */
const refreshMs = 15_000
/** Unknown keys can be made up: they make nobody ask more often than this. */
const leastPauseMs = 1_000
const timeoutMs = 2_000
const mostKeys = 16

const coordinate = z.string().max(100)
const keySetSchema = z.object({
  keys: z
    .array(
      z.object({
        kid: z.string().min(1).max(100),
        kty: z.literal('EC'),
        crv: z.literal('P-256'),
        x: coordinate,
        y: coordinate,
      }),
    )
    .min(1)
    .max(mostKeys),
})

/** Whether the key is one of auth's cannot be known: nobody may be logged out for that. */
export class SigningKeysUnavailableError extends Error {
  override readonly name = 'SigningKeysUnavailableError'
  readonly isTransient = true
  constructor() {
    super('The signing keys are not known: auth does not answer')
  }
}

export type RemoteKeysOptions = {
  /** Where auth answers: `http://127.0.0.1:4001`. */
  readonly authUrl: string
  readonly logger: Pick<Logger, 'warn' | 'info'>
}

export type RemoteKeys = Required<VerificationKeys> & {
  /** Rejects as long as no keys are known. */
  check(): Promise<void>
  close(): Promise<void>
}

const fetchKeys = async (authUrl: string, signal: AbortSignal): Promise<ReadonlyMap<string, KeyObject>> => {
  const response = await fetch(new URL(signingKeysPath, authUrl), { redirect: 'error', signal })
  if (!response.ok) throw new Error(`auth answers ${response.status} to a request for its signing keys`)
  const { keys } = keySetSchema.parse(await response.json())
  return new Map(keys.map(({ kid, ...jwk }) => [kid, createPublicKey({ key: jwk, format: 'jwk' })]))
}

/**
 * The keys that auth signs with, as auth says itself: asked for every few seconds, and at once for a key that is not known.
 * While auth does not answer, those of the last answer count. Does not wait for the first answer: `lookUp` does.
 */
export const openRemoteKeys = ({ authUrl, logger }: RemoteKeysOptions): RemoteKeys => {
  const closing = new AbortController()
  let keys: ReadonlyMap<string, KeyObject> = new Map()
  let askedAtMs = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | undefined
  let isAway = false

  const refresh = async (): Promise<void> => {
    askedAtMs = performance.now()
    try {
      keys = await fetchKeys(authUrl, AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]))
      if (isAway) logger.info('The signing keys can be had again')
      isAway = false
    } catch (err) {
      if (closing.signal.aborted) return
      if (!isAway) logger.warn({ err }, 'The signing keys cannot be had; the last known ones count')
      isAway = true
    }
  }
  const refreshOnce = (): Promise<void> => {
    underWay ??= refresh().finally(() => {
      underWay = undefined
    })
    return underWay
  }

  void refreshOnce()
  const timer = setInterval(() => void refreshOnce(), refreshMs).unref()

  return {
    verificationKey: (kid) => keys.get(kid),
    lookUp: async (kid) => {
      // What is under way may have been asked before the key was made; the next request for it asks again.
      if (underWay || performance.now() - askedAtMs >= leastPauseMs) await refreshOnce()
      const key = keys.get(kid)
      if (!key && isAway) throw new SigningKeysUnavailableError()
      return key
    },
    check: async () => {
      if (keys.size === 0) await refreshOnce()
      if (keys.size === 0) throw new SigningKeysUnavailableError()
    },
    close: async () => {
      clearInterval(timer)
      closing.abort()
      await underWay
    },
  }
}
