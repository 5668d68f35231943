import type { UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { z } from 'zod'
import { constantTimeEqual } from '../constant-time-equal.ts'

export const passkeyChallengeValidMs = 5 * 60_000

type PasskeyChallengesDeps = {
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly clockAndIds: Pick<ClockAndIds, 'now' | 'newSecret'>
  /** Allows one use of each. Its window is at least as long as a challenge is valid. */
  readonly uses: AttemptLimiter
}

/** What a challenge is good for: 'log-in' also confirms a change. `boundTo`: the session, or the challenge of the login. */
export type PasskeyPurpose = {
  readonly kind: 'add' | 'add-another' | 'log-in'
  readonly userId: UserId
  readonly boundTo: string
}

const challengeForm = /^(\d{1,12})\.([\w-]{43})\.([0-9a-f]{16,128})$/

const clientDataSchema = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown
    } catch {
      context.addIssue('no JSON')
      return z.NEVER
    }
  })
  .pipe(z.object({ challenge: z.string() }))

/** The challenge that the browser answers, as it was sent. */
const challengeIn = (clientDataJSON: string): string | undefined => {
  const { data } = clientDataSchema.safeParse(clientDataJSON)
  return data && Buffer.from(data.challenge, 'base64url').toString('utf8')
}

/**
 * Challenges that passkeys sign. Like the challenge of a login, each proves itself by a keyed hash, so nothing is kept for those that
 * stay unanswered.
 */
export const createPasskeyChallenges = ({ vault, clockAndIds, uses }: PasskeyChallengesDeps) => {
  const macOf = ({ kind, userId, boundTo }: PasskeyPurpose, expiry: string, nonce: string): string =>
    vault.index('challenge', `passkey ${kind} ${userId} ${boundTo} ${expiry} ${nonce}`)

  const isOf = (text: string, purpose: PasskeyPurpose): boolean => {
    const [, expiry = '', nonce = '', mac = ''] = challengeForm.exec(text) ?? []
    if (Number(expiry) * 1_000 <= clockAndIds.now().getTime()) return false
    return constantTimeEqual(mac, macOf(purpose, expiry, nonce))
  }

  return {
    make: (purpose: PasskeyPurpose): string => {
      const expiry = String(Math.floor((clockAndIds.now().getTime() + passkeyChallengeValidMs) / 1_000))
      const nonce = clockAndIds.newSecret()
      return [expiry, nonce, macOf(purpose, expiry, nonce)].join('.')
    },

    /** The challenge that was answered, which no other answer can use. Undefined if it is of another purpose, expired or used. */
    use: async (clientDataJSON: string, purpose: PasskeyPurpose): Promise<string | undefined> => {
      const challenge = challengeIn(clientDataJSON)
      if (challenge === undefined || !isOf(challenge, purpose)) return undefined
      return (await uses.attempt(challenge)) === undefined ? challenge : undefined
    },
  }
}
export type PasskeyChallenges = ReturnType<typeof createPasskeyChallenges>
