import type { KeyObject } from 'node:crypto'
import { roleSchema } from '@portal/contracts/auth/user'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { type CryptoKey, errors, type JWTHeaderParameters, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { boundedCache } from '../cache/bounded-cache.ts'
import { z } from 'zod'
import { isTransient } from '../errors/error-kinds.ts'
import type { SessionDenylist } from './session-denylist.ts'
import type { SessionRecord } from './session-record.ts'
import type { Session, SessionVerifier } from './session.ts'
import { type SigningKeys, signsTypedTokens } from './signing-keys.ts'

const algorithm = 'ES256'
const issuer = 'portal'
const audience = 'portal'
const tokenType = 'at+jwt'
/** The type of tokens of releases without audience. Keys from that time may still have such tokens. */
const formerTokenType = 'JWT'
/** Valid tokens have about 400 characters. */
const maxTokenChars = 2_000
/**
 * How far ahead the clock that issued a token may have been. Its signature says that the portal issued it, so a clock that is set back
 * by up to a day refuses nobody. From further ahead, its expiry says too little.
 */
const clockToleranceMs = 25 * 3_600_000

const claimsSchema = z.object({
  sid: sessionIdSchema,
  sub: userIdSchema,
  role: roleSchema,
  iat: z.number(),
  exp: z.number(),
})

export const signSessionToken = (signingKeys: SigningKeys, session: Session, issuedAt: Date): Promise<string> => {
  const { kid, key } = signingKeys.signingKey()
  return new SignJWT({ sid: session.sessionId, role: session.role })
    .setProtectedHeader({ alg: algorithm, kid, typ: tokenType })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(session.userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(session.expiresAt)
    .sign(key)
}

type VerificationKey = KeyObject | CryptoKey

/** The keys that verify signatures: local ones, or those that auth publishes. */
export type VerificationKeys = {
  /** Undefined for an unknown or withdrawn key. */
  verificationKey(kid: string): VerificationKey | undefined
  /** Called if `verificationKey` returns undefined, because the key may be new. */
  lookUp?(kid: string): Promise<VerificationKey | undefined>
}

type SessionVerifierOptions = {
  readonly signingKeys: VerificationKeys
  readonly now: () => Date
  /** Checked on every use: fast, and complete while its read model is. */
  readonly denylist: SessionDenylist
  /** Decides if the denylist's read model may have lost data. */
  readonly record: SessionRecord
  /** The number of verified tokens to cache. */
  readonly cachedTokens?: number
}

/** A token with a verified signature and format. Time, key and session are checked on each use. */
type Verified = {
  readonly token: string
  readonly session: Session
  readonly kid: string
  readonly issuedAtMs: number
  /** The lineage of the denylist at the time when the record confirmed the session. */
  confirmedIn: string | undefined
  confirmedAtMs: number
}

/**
 * Sessions are confirmed again after this time, in case the denylist lost data without a new lineage. Longer than the interval of the
 * socket checks, which would otherwise read the log each time.
 */
const reconfirmAfterMs = 10 * 60_000

/**
 * The cache key: the end of the signature. The whole token is compared afterwards. Hashing it on every request would cost more than
 * all other checks.
 */
const lookupKeyOf = (token: string): string => token.slice(-32)

export const makeSessionVerifier = (options: SessionVerifierOptions): SessionVerifier => {
  const { signingKeys, now, denylist, record, cachedTokens = 20_000 } = options
  const known = boundedCache<string, Verified>(cachedTokens)

  const check = async (token: string): Promise<Verified | undefined> => {
    const verified = await verifySignature(signingKeys, token, now())
    if (verified) known.set(lookupKeyOf(token), verified)
    return verified
  }
  const isCurrent = ({ session, kid, issuedAtMs }: Verified): boolean => {
    const time = now().getTime()
    const isInTime = time < session.expiresAt.getTime() && issuedAtMs <= time + clockToleranceMs
    return isInTime && signingKeys.verificationKey(kid) !== undefined
  }
  const confirm = async (verified: Verified, lineage: string | undefined): Promise<boolean> => {
    const isOpen = await record.isOpen(verified.session, verified.token)
    verified.confirmedIn = isOpen ? lineage : undefined
    verified.confirmedAtMs = now().getTime()
    return isOpen
  }

  /** While the record is unavailable, the previous confirmation in the same lineage counts. */
  const reconfirm = async (verified: Verified, lineage: string): Promise<boolean> => {
    if (Math.abs(now().getTime() - verified.confirmedAtMs) < reconfirmAfterMs) return true
    try {
      return await confirm(verified, lineage)
    } catch (error) {
      if (!isTransient(error)) throw error
      return true
    }
  }

  const isOpen = async (verified: Verified): Promise<boolean> => {
    const lineage = denylist.lineage()
    try {
      if (await denylist.isEnded(verified.session)) return false
    } catch (error) {
      if (!isTransient(error)) throw error
      return confirm(verified, undefined)
    }
    // The data may have been replaced during the read.
    const isContinuous = verified.confirmedIn === lineage && denylist.lineage() === lineage
    return isContinuous ? reconfirm(verified, lineage) : confirm(verified, lineage)
  }

  return {
    verify: async (token) => {
      if (token.length > maxTokenChars) return undefined
      const found = known.get(lookupKeyOf(token))
      const verified = found?.token === token ? found : await check(token)
      if (!verified || !isCurrent(verified)) return undefined
      return (await isOpen(verified)) ? verified.session : undefined
    },
  }
}

/** Tokens of earlier releases have neither audience nor type. They are valid with a key of such a release. */
const isSessionToken = ({ kid = '', typ }: JWTHeaderParameters, { aud }: JWTPayload): boolean =>
  (typ === tokenType && aud === audience) || (!signsTypedTokens(kid) && typ === formerTokenType && aud === undefined)

const verifySignature = async (
  signingKeys: VerificationKeys,
  token: string,
  now: Date,
): Promise<Verified | undefined> => {
  const keyOf = async ({ kid }: JWTHeaderParameters) => {
    const key = kid === undefined ? undefined : (signingKeys.verificationKey(kid) ?? (await signingKeys.lookUp?.(kid)))
    if (!key) throw new errors.JWKSNoMatchingKey()
    return key
  }
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keyOf, {
      algorithms: [algorithm],
      issuer,
      currentDate: now,
    })
    const claims = claimsSchema.safeParse(payload)
    if (!claims.success || protectedHeader.kid === undefined) return undefined
    if (!isSessionToken(protectedHeader, payload)) return undefined
    const { sid, sub, role, iat, exp } = claims.data
    const session = { sessionId: sid, userId: sub, role, expiresAt: new Date(exp * 1000) }
    const unconfirmed = { confirmedIn: undefined, confirmedAtMs: 0 }
    return { token, session, kid: protectedHeader.kid, issuedAtMs: iat * 1000, ...unconfirmed }
  } catch (error) {
    // JOSEError: the token is invalid. Other errors are internal.
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
