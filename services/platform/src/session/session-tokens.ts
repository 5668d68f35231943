import type { KeyObject } from 'node:crypto'
import { roleSchema } from '@portal/contracts/auth/user'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { type CryptoKey, errors, type JWTHeaderParameters, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { boundedCache } from '../cache/bounded-cache.ts'
import { z } from 'zod'
import { isTransient } from '../errors/error-kinds.ts'
import type { SessionDenylist } from './session-denylist.ts'
import { checkUseAfterMs, type IdleLimits, idleLimitOf, recordUseAfterMs, unusedMs } from './session-idle.ts'
import type { RecordedSession, SessionRecord } from './session-record.ts'
import type { SessionUses } from './session-uses.ts'
import type { Session, SessionPurpose, SessionVerifier } from './session.ts'
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
  /** Refuses sessions that nobody uses. In a process without it, the record does. */
  readonly idle?: IdleOptions
  /** The number of verified tokens to cache. */
  readonly cachedTokens?: number
}

type IdleOptions = {
  readonly limits: IdleLimits
  readonly uses: Pick<SessionUses, 'report'>
  elapsedMs(): number
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
  /** On the monotonic clock: when somebody used it in this process, and when the record was last asked for a use. */
  usedAtMs: number
  judgedAtMs: number
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
  const { signingKeys, now, denylist, record, idle, cachedTokens = 20_000 } = options
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
  const judge = idle && createIdleJudge(idle, now)
  const confirm = async (
    verified: Verified,
    lineage: string | undefined,
    purpose: SessionPurpose,
  ): Promise<boolean> => {
    const recorded = await record.find(verified.session, verified.token)
    const isOpen = recorded !== undefined && judge?.isIdle(verified, recorded, purpose) !== true
    verified.confirmedIn = isOpen ? lineage : undefined
    verified.confirmedAtMs = now().getTime()
    return isOpen
  }

  /** While the record is unavailable, the previous confirmation in the same lineage counts. */
  const reconfirm = async (verified: Verified, lineage: string, purpose: SessionPurpose): Promise<boolean> => {
    const isRecent = Math.abs(now().getTime() - verified.confirmedAtMs) < reconfirmAfterMs
    if (isRecent && !(purpose === 'use' && judge?.isDue(verified))) return true
    try {
      return await confirm(verified, lineage, purpose)
    } catch (error) {
      if (!isTransient(error)) throw error
      return true
    }
  }

  const isOpen = async (verified: Verified, purpose: SessionPurpose): Promise<boolean> => {
    const lineage = denylist.lineage()
    try {
      if (await denylist.isEnded(verified.session)) return false
    } catch (error) {
      if (!isTransient(error)) throw error
      return confirm(verified, undefined, purpose)
    }
    // The data may have been replaced during the read.
    const isContinuous = verified.confirmedIn === lineage && denylist.lineage() === lineage
    return isContinuous ? reconfirm(verified, lineage, purpose) : confirm(verified, lineage, purpose)
  }

  return {
    verify: async (token, purpose = 'use') => {
      if (token.length > maxTokenChars) return undefined
      const found = known.get(lookupKeyOf(token))
      const verified = found?.token === token ? found : await check(token)
      if (!verified || !isCurrent(verified)) return undefined
      if (!(await isOpen(verified, purpose))) return undefined
      if (idle && purpose === 'use') verified.usedAtMs = idle.elapsedMs()
      return verified.session
    },
  }
}

/**
 * Refuses sessions that nobody has used for too long. Other processes may have seen uses that are not recorded yet, so a session can be
 * refused a twelfth of the limit earlier.
 */
const createIdleJudge = ({ limits, uses, elapsedMs }: IdleOptions, now: () => Date) => {
  const startMs = now().getTime() - elapsedMs()
  const limitOf = ({ session }: Verified) => idleLimitOf(limits, session.role)

  return {
    /** Whether the record has to be asked before a use. */
    isDue: (verified: Verified): boolean => elapsedMs() - verified.judgedAtMs >= checkUseAfterMs(limitOf(verified)),

    isIdle: (verified: Verified, { lastUse }: RecordedSession, purpose: SessionPurpose): boolean => {
      if (lastUse === 'not-idle') return false
      const { session, token, issuedAtMs } = verified
      const [nowMs, elapsed] = [now().getTime(), elapsedMs()]
      const times = { nowMs, steadyNowMs: startMs + elapsed, unusedHereMs: elapsed - verified.usedAtMs }
      const usedAtMs = lastUse === 'login' ? issuedAtMs : lastUse === 'unknown' ? undefined : lastUse.getTime()
      const limitMs = limitOf(verified)
      const isIdle = limitMs !== undefined && usedAtMs !== undefined && unusedMs(usedAtMs, times) >= limitMs
      if (purpose === 'look') return isIdle
      if (!isIdle) verified.judgedAtMs = elapsed
      // A use in the future was recorded with a wrong clock.
      const isOld = usedAtMs === undefined || Math.abs(nowMs - usedAtMs) >= recordUseAfterMs(limitMs)
      if (isIdle) uses.report({ session, token, kind: 'idle' })
      else if (isOld) uses.report({ session, token, kind: 'used' })
      return isIdle
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
    const never = Number.NEGATIVE_INFINITY
    const unconfirmed = { confirmedIn: undefined, confirmedAtMs: 0, usedAtMs: never, judgedAtMs: never }
    return { token, session, kid: protectedHeader.kid, issuedAtMs: iat * 1000, ...unconfirmed }
  } catch (error) {
    // JOSEError: the token is invalid. Other errors are internal.
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
