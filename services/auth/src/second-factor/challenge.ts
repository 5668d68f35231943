import type { SecondStepKind } from '@portal/contracts/shared/problem'
import { type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { type Cookie, readCookie } from '@portal/platform/session/cookies'
import type { FastifyRequest } from 'fastify'
import { constantTimeEqual } from '../constant-time-equal.ts'
import type { ActiveUser } from '../user/decider.ts'
import { offerValidMs } from './decider.ts'

/** An admin who sets up an app needs longer than a user who reads a code from it. */
const validMs: Readonly<Record<SecondStepKind, number>> = { code: 5 * 60_000, 'set-up': offerValidMs }

/** Cookie names never change. */
const challengeCookie = 'portal_second_step'

/** The random secret of a browser that challenges are bound to. */
export const clientSecretOf = (request: Pick<FastifyRequest, 'headers'>): string | undefined => {
  const secret = readCookie(request.headers.cookie, challengeCookie)
  return secret !== undefined && /^[\w-]{43}$/.test(secret) ? secret : undefined
}

export const clientSecretCookie = (secret: string, now: Date): Cookie => ({
  name: challengeCookie,
  value: secret,
  // The cookie prefix `__Host-` requires this path.
  path: '/',
  sameSite: 'Strict',
  expiresAt: new Date(now.getTime() + Math.max(...Object.values(validMs))),
})

type Subject = {
  readonly kind: SecondStepKind
  readonly userId: UserId
  /** Hash of the password that was right, encrypted. Another password makes the challenge worthless. */
  readonly credential: string
  readonly clientSecret: string
}

type Keyed = Pick<PersonalDataVault, 'index'>

const macOf = (vault: Keyed, { kind, userId, credential, clientSecret }: Subject, expiry: string): string =>
  vault.index('challenge', `${kind} ${userId} ${credential} ${clientSecret} ${expiry}`)

/** Proves for some minutes that the password was right in this browser: the user, the expiry in seconds, and a keyed hash. */
export const newChallenge = (vault: Keyed, subject: Subject, now: Date): string => {
  const expiry = String(Math.floor((now.getTime() + validMs[subject.kind]) / 1_000))
  return [subject.userId, expiry, macOf(vault, subject, expiry)].join('.')
}

const challengeForm = /^([0-9a-f-]{36})\.(\d{1,12})\.([0-9a-f]{16,128})$/

type Challenge = {
  readonly userId: UserId
  /** Whether the password is still that of the user, and the browser the same. */
  isOf(user: ActiveUser, kind: SecondStepKind, clientSecret: string | undefined): boolean
}

/** Undefined for what is malformed or has expired. */
export const openChallenge = (vault: Keyed, text: string, now: Date): Challenge | undefined => {
  const [, id, expiry = '', mac = ''] = challengeForm.exec(text) ?? []
  const { data: userId } = userIdSchema.safeParse(id)
  if (userId === undefined || Number(expiry) * 1_000 <= now.getTime()) return undefined
  return {
    userId,
    isOf: (user, kind, clientSecret) =>
      clientSecret !== undefined &&
      [user.credential, ...user.earlierCredentials].some((credential) =>
        constantTimeEqual(mac, macOf(vault, { kind, userId, credential, clientSecret }, expiry)),
      ),
  }
}
