import { createRemoteJWKSet, type CryptoKey, customFetch, errors } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { z } from 'zod'
import { createRunningState } from '../async/running-state.ts'
import type { VerificationKeys } from './session-tokens.ts'
import { signingKeysPath } from './signing-keys.ts'

/** How long a key that auth has withdrawn is still accepted here. */
const refreshMs = 15_000
/** Tokens with an invented key must not cause more requests than this. */
const cooldownMs = 1_000
const timeoutMs = 2_000
const maxKeys = 16

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
    .max(maxKeys),
})

/** Whether the key is one of auth's is unknown. It must not log a user out. */
class SigningKeysUnavailableError extends Error {
  override readonly name = 'SigningKeysUnavailableError'
  readonly isTransient = true
  constructor() {
    super('The signing keys are not known: auth does not answer')
  }
}

type RemoteKeysOptions = {
  /** Where auth answers: `http://127.0.0.1:4001`. */
  readonly authUrl: string
  readonly logger: Pick<Logger, 'warn' | 'info'>
}

export type RemoteKeys = Required<VerificationKeys> & {
  /** Rejects as long as no keys are known. */
  check(): Promise<void>
  close(): Promise<void>
}

/**
 * The keys that auth signs with, fetched every few seconds, and at once for an unknown key. While auth does not answer, the keys of
 * the last answer stay valid. Does not wait for the first answer; `lookUp` does.
 */
export const openRemoteKeys = ({ authUrl, logger }: RemoteKeysOptions): RemoteKeys => {
  const running = createRunningState()
  /** Ids of the last answer: another key is withdrawn, until auth names it again. */
  let currentIds: ReadonlySet<string> = new Set()
  /** Those that have been looked up. */
  const imported = new LRUCache<string, CryptoKey>({ max: maxKeys })
  let failedAtMs = Number.NEGATIVE_INFINITY
  let isUnavailable = false

  const fetchKeys = async (url: string, signal: AbortSignal): Promise<Response> => {
    try {
      const response = await fetch(url, { redirect: 'error', signal: AbortSignal.any([running.signal, signal]) })
      if (!response.ok) throw new Error(`auth answers ${response.status} to a request for its signing keys`)
      const keySet = keySetSchema.parse(await response.json())
      currentIds = new Set(keySet.keys.map(({ kid }) => kid))
      if (isUnavailable) logger.info('The signing keys can be had again')
      isUnavailable = false
      return Response.json(keySet)
    } catch (err) {
      if (!isUnavailable && !running.isStopped())
        logger.warn({ err }, 'The signing keys cannot be had; the last known ones count')
      failedAtMs = performance.now()
      isUnavailable = true
      throw err
    }
  }
  const keySet = createRemoteJWKSet(new URL(signingKeysPath, authUrl), {
    timeoutDuration: timeoutMs,
    cooldownDuration: cooldownMs,
    // The timer below refreshes them: an expired set would be rejected while auth does not answer.
    cacheMaxAge: Number.POSITIVE_INFINITY,
    [customFetch]: (url, { signal }) => fetchKeys(url, signal),
  })
  // fetchKeys has logged the failure.
  const refresh = (): Promise<void> => keySet.reload().catch(() => undefined)
  void refresh()
  const timer = setInterval(() => void refresh(), refreshMs).unref()

  return {
    verificationKey: (kid) => (currentIds.has(kid) ? imported.get(kid) : undefined),
    lookUp: async (kid) => {
      // The cooldown of the key set begins with an answer only.
      const isCoolingDown = isUnavailable && performance.now() - failedAtMs < cooldownMs
      if (isCoolingDown && !keySet.reloading) throw new SigningKeysUnavailableError()
      try {
        const key = await keySet({ alg: 'ES256', kid })
        imported.set(kid, key)
        return key
      } catch (error) {
        // Any other error is one of the request, although some are of the class of invalid tokens.
        if (!(error instanceof errors.JWKSNoMatchingKey) || isUnavailable) throw new SigningKeysUnavailableError()
        return undefined
      }
    },
    check: async () => {
      if (keySet.jwks() === undefined) await refresh()
      if (keySet.jwks() === undefined) throw new SigningKeysUnavailableError()
    },
    close: async () => {
      clearInterval(timer)
      running.stop()
      if (keySet.reloading) await refresh()
    },
  }
}
