import type { KeyObject } from 'node:crypto'
import { roleSchema } from '@portal/contracts/auth/user'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { errors, type JWTHeaderParameters, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { KeyRing } from './key-ring.ts'
import type { Session, SessionVerifier } from './session.ts'

const algorithm = 'ES256'
const issuer = 'portal'
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

export const signSessionToken = (keyRing: KeyRing, session: Session, issuedAt: Date): Promise<string> => {
  const { kid, key } = keyRing.signingKey()
  return new SignJWT({ sid: session.sessionId, role: session.role })
    .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' })
    .setIssuer(issuer)
    .setSubject(session.userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(session.expiresAt)
    .sign(key)
}

/** What a token's signature is checked with: the key ring itself, or what another process says is on it. */
export type VerificationKeys = Pick<KeyRing, 'verificationKey'> & {
  /** Asked for a key that `verificationKey` does not know; it may be too new for that. */
  lookUp?(kid: string): Promise<KeyObject | undefined>
}

export type SessionVerifierOptions = {
  readonly keyRing: VerificationKeys
  readonly now: () => Date
  /** Asked on every use. Rejects when it cannot be known. */
  readonly isEnded: (session: Session) => Promise<boolean>
  /** How many verified tokens are remembered. */
  readonly remembered?: number
}

/** A token whose signature and form have been checked; time, key and session are looked at again on each use. */
type Verified = {
  readonly token: string
  readonly session: Session
  readonly kid: string
  readonly issuedAtMs: number
}

/**
 * The end of the signature, by which tokens are looked up; the whole is compared then. Hashing all of a token on every request
 * would cost more than everything else that is checked.
 */
const lookupKeyOf = (token: string): string => token.slice(-32)

export const makeSessionVerifier = (options: SessionVerifierOptions): SessionVerifier => {
  const { keyRing, now, isEnded, remembered = 20_000 } = options
  const known = new LRUCache<string, Verified>({ max: remembered })

  const check = async (token: string): Promise<Verified | undefined> => {
    const verified = await verifySignature(keyRing, token, now())
    if (verified) known.set(lookupKeyOf(token), verified)
    return verified
  }
  const isCurrent = ({ session, kid, issuedAtMs }: Verified): boolean => {
    const time = now().getTime()
    // Issued in the future means that a clock was or is wrong: then nothing can be said about its expiry either.
    const isInTime = time < session.expiresAt.getTime() && issuedAtMs <= time + clockToleranceMs
    return isInTime && keyRing.verificationKey(kid) !== undefined
  }
  return {
    verify: async (token) => {
      if (token.length > maxTokenChars) return undefined
      const found = known.get(lookupKeyOf(token))
      const verified = found?.token === token ? found : await check(token)
      if (!verified || !isCurrent(verified)) return undefined
      return (await isEnded(verified.session)) ? undefined : verified.session
    },
  }
}

const verifySignature = async (keyRing: VerificationKeys, token: string, now: Date): Promise<Verified | undefined> => {
  const keyOf = async ({ kid }: JWTHeaderParameters) => {
    const key = kid === undefined ? undefined : (keyRing.verificationKey(kid) ?? (await keyRing.lookUp?.(kid)))
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
    const { sid, sub, role, iat, exp } = claims.data
    const session = { sessionId: sid, userId: sub, role, expiresAt: new Date(exp * 1000) }
    return { token, session, kid: protectedHeader.kid, issuedAtMs: iat * 1000 }
  } catch (error) {
    // Whatever is wrong with a token, it is nobody's token; anything else is our own failure.
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
