import type { KeyObject } from 'node:crypto'
import { roleSchema } from '@portal/contracts/auth/user'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { type CryptoKey, errors, type JWTHeaderParameters, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
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
/** How releases before audience and type signed. Keys from that time may still have such tokens. */
const formerTokenType = 'JWT'
/** Ours are about 400 characters. */
const maxTokenChars = 2_000
/** By how much the clocks of two machines may differ. */
const clockToleranceMs = 30_000

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

/** Verifies signatures: the signing keys themselves, or those that another process publishes. */
export type VerificationKeys = {
  /** Undefined for an unknown or withdrawn key. */
  verificationKey(kid: string): VerificationKey | undefined
  /** Called for a key that `verificationKey` does not return: it may be too new. */
  lookUp?(kid: string): Promise<VerificationKey | undefined>
}

type SessionVerifierOptions = {
  readonly signingKeys: VerificationKeys
  readonly now: () => Date
  /** Asked on every use: fast, and complete for as long as its read model is. */
  readonly denylist: SessionDenylist
  /** Has the last word wherever the denylist's read model may have lost data. */
  readonly record: SessionRecord
  /** How many verified tokens are remembered. */
  readonly cachedTokens?: number
}

/** A token whose signature and form have been checked; time, key and session are looked at again on each use. */
type Verified = {
  readonly token: string
  readonly session: Session
  readonly kid: string
  readonly issuedAtMs: number
  /** The lineage of the denylist in which the record said that the session is open. */
  confirmedIn: string | undefined
  confirmedAtMs: number
}

/**
 * So that no loss of the denylist, however it came about, brings a session back for longer. Longer than the sockets' own checks are
 * apart, which would else ask the log each time.
 */
const confirmAgainMs = 10 * 60_000

/**
 * The end of the signature, by which tokens are looked up; the whole is compared then. Hashing all of a token on every request
 * would cost more than everything else that is checked.
 */
const lookupKeyOf = (token: string): string => token.slice(-32)

export const makeSessionVerifier = (options: SessionVerifierOptions): SessionVerifier => {
  const { signingKeys, now, denylist, record, cachedTokens = 20_000 } = options
  const known = new LRUCache<string, Verified>({ max: cachedTokens })

  const check = async (token: string): Promise<Verified | undefined> => {
    const verified = await verifySignature(signingKeys, token, now())
    if (verified) known.set(lookupKeyOf(token), verified)
    return verified
  }
  const isCurrent = ({ session, kid, issuedAtMs }: Verified): boolean => {
    const time = now().getTime()
    // Issued in the future means that a clock was or is wrong: then nothing can be said about its expiry either.
    const isInTime = time < session.expiresAt.getTime() && issuedAtMs <= time + clockToleranceMs
    return isInTime && signingKeys.verificationKey(kid) !== undefined
  }
  const confirm = async (verified: Verified, lineage: string | undefined): Promise<boolean> => {
    const isOpen = await record.isOpen(verified.session, verified.token)
    verified.confirmedIn = isOpen ? lineage : undefined
    verified.confirmedAtMs = now().getTime()
    return isOpen
  }

  /** What was confirmed long ago in the same lineage still counts while the record is unavailable. */
  const confirmAgain = async (verified: Verified, lineage: string): Promise<boolean> => {
    if (Math.abs(now().getTime() - verified.confirmedAtMs) < confirmAgainMs) return true
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
    // The read itself may have been answered by other data.
    const isContinuous = verified.confirmedIn === lineage && denylist.lineage() === lineage
    return isContinuous ? confirmAgain(verified, lineage) : confirm(verified, lineage)
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

/** A former token has neither audience nor type, and is accepted under a key from that time, until it expires. */
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
    // Whatever is wrong with a token, it is nobody's token; anything else is our own failure.
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
