import { createRemoteJWKSet, type CryptoKey, customFetch, errors } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { z } from 'zod'
import { createRunningState } from '../async/running-state.ts'
import type { VerificationKeys } from './session-tokens.ts'
import { signingKeysPath } from './signing-keys.ts'

/** A key that auth has withdrawn is accepted for this time at most. */
const refreshMs = 15_000
/** The minimum time between two requests for unknown keys, which callers can invent. */
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

/** It is unknown whether auth has the key, so the user must not be logged out. */
class SigningKeysUnavailableError extends Error {
  override readonly name = 'SigningKeysUnavailableError'
  readonly isTransient = true
  constructor() {
    super('The signing keys are not known: auth does not answer')
  }
}

type RemoteKeysOptions = {
  /** Such as `http://127.0.0.1:4001`. */
  readonly authUrl: string
  readonly logger: Pick<Logger, 'warn' | 'info'>
}

export type RemoteKeys = Required<VerificationKeys> & {
  /** Rejects while no keys are known. */
  check(): Promise<void>
  close(): Promise<void>
}

/**
 * Auth's signing keys, fetched periodically and for each unknown key. While auth does not respond, the last known keys stay valid. Does
 * not wait for the first response; `lookUp` does.
 */
export const openRemoteKeys = ({ authUrl, logger }: RemoteKeysOptions): RemoteKeys => {
  const running = createRunningState()
  /** The ids of the last response. Other keys are withdrawn. */
  let currentIds: ReadonlySet<string> = new Set()
  const imported = new LRUCache<string, CryptoKey>({ max: maxKeys })
  let failedAtMs = Number.NEGATIVE_INFINITY
  let isUnavailable = false

  const fetchKeys = async (url: string, signal: AbortSignal): Promise<Response> => {
    try {
      const response = await fetch(url, { redirect: 'error', signal: AbortSignal.any([running.signal, signal]) })
      if (!response.ok) throw new Error(`auth answers ${response.status} to a request for its signing keys`)
      const keySet = keySetSchema.parse(await response.json())
      currentIds = new Set(keySet.keys.map(({ kid }) => kid))
      if (isUnavailable) logger.info('signing keys available again')
      isUnavailable = false
      return Response.json(keySet)
    } catch (err) {
      if (!isUnavailable && !running.isStopped())
        logger.warn({ err }, 'signing keys unavailable, using the last known ones')
      failedAtMs = performance.now()
      isUnavailable = true
      throw err
    }
  }
  const keySet = createRemoteJWKSet(new URL(signingKeysPath, authUrl), {
    timeoutDuration: timeoutMs,
    cooldownDuration: cooldownMs,
    // The timer below refreshes them. An expired set would be rejected while auth does not respond.
    cacheMaxAge: Number.POSITIVE_INFINITY,
    [customFetch]: (url, { signal }) => fetchKeys(url, signal),
  })
  // fetchKeys logs the error.
  const refresh = (): Promise<void> => keySet.reload().catch(() => undefined)
  void refresh()
  const timer = setInterval(() => void refresh(), refreshMs).unref()

  return {
    verificationKey: (kid) => (currentIds.has(kid) ? imported.get(kid) : undefined),
    lookUp: async (kid) => {
      // The cooldown of the key set starts only after a response.
      const isCoolingDown = isUnavailable && performance.now() - failedAtMs < cooldownMs
      if (isCoolingDown && !keySet.reloading) throw new SigningKeysUnavailableError()
      try {
        const key = await keySet({ alg: 'ES256', kid })
        imported.set(kid, key)
        return key
      } catch (error) {
        // Any other error comes from the request, although jose has some in the class of invalid tokens.
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
