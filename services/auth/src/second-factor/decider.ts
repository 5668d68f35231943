import type { EncryptedText } from '@portal/contracts/auth/events'
import type { UserId } from '@portal/contracts/shared/ids'
import { type Decider, ok, rejected } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { constantTimeEqual } from '../constant-time-equal.ts'
import { type SecondFactorEvent, secondFactorEventSchema } from './events.ts'

/** How long an offered secret can be confirmed: long enough to install an app. */
export const offerValidMs = 15 * 60_000
/** A code is accepted in three time steps. More are kept for the case that the clock was wrong. */
const usedStepsKept = 10

export type SecondFactorCommand = { readonly userId: UserId } & (
  | { readonly type: 'OfferTotp'; readonly secret: EncryptedText; readonly isFirst: boolean; readonly now: Date }
  | {
      readonly type: 'EnrollTotp'
      /** The offered secret that the code is of. */
      readonly secret: EncryptedText
      readonly step: number
      readonly codeHashes: readonly string[]
      readonly isFirst: boolean
      readonly now: Date
    }
  | { readonly type: 'UseTotpCode'; readonly secret: EncryptedText; readonly step: number }
  | { readonly type: 'IssueRecoveryCodes'; readonly codeHashes: readonly string[] }
  | { readonly type: 'UseRecoveryCode'; readonly codeHash: string }
  | { readonly type: 'RemoveSecondFactor'; readonly by: string }
)

export type SecondFactorState = {
  /** Offered, not confirmed. */
  readonly offer: { readonly secret: EncryptedText; readonly expiresAtMs: number } | undefined
  readonly totp: { readonly secret: EncryptedText; readonly usedSteps: readonly number[] } | undefined
  /** Of the codes that have not been used. */
  readonly codeHashes: readonly string[]
}

/** 'wrong-code': unknown or used, or of a secret that was replaced meanwhile. `isFirst` asks for 'already-on'. */
export type SecondFactorRejection = 'already-on' | 'off' | 'no-offer' | 'used-code' | 'wrong-code'

const none: SecondFactorState = { offer: undefined, totp: undefined, codeHashes: [] }

/** The second step of one user's logins: an authenticator app, and recovery codes for when it is lost. */
export const secondFactorDecider: Decider<
  SecondFactorState,
  SecondFactorCommand,
  SecondFactorEvent,
  SecondFactorRejection
> = {
  category: 'secondfactor',
  initial: none,

  decide(command, state) {
    const { userId } = command
    switch (command.type) {
      case 'OfferTotp': {
        const { secret, isFirst, now } = command
        if (isFirst && state.totp) return rejected('already-on')
        const expiresAt = new Date(now.getTime() + offerValidMs).toISOString()
        return ok([{ type: 'TotpOffered', data: { userId, secret, expiresAt } }])
      }
      case 'EnrollTotp': {
        const { secret, step, codeHashes, isFirst, now } = command
        if (isFirst && state.totp) return rejected('already-on')
        if (openOffer(state, now) !== secret) return rejected('no-offer')
        return ok([
          { type: 'TotpEnrolled', data: { userId, secret, step } },
          { type: 'RecoveryCodesIssued', data: { userId, codeHashes: [...codeHashes] } },
        ])
      }
      case 'UseTotpCode': {
        const { secret, step } = command
        if (state.totp?.secret !== secret) return rejected('wrong-code')
        if (state.totp.usedSteps.includes(step)) return rejected('used-code')
        return ok([{ type: 'TotpCodeUsed', data: { userId, step } }])
      }
      case 'IssueRecoveryCodes':
        return state.totp
          ? ok([{ type: 'RecoveryCodesIssued', data: { userId, codeHashes: [...command.codeHashes] } }])
          : rejected('off')
      case 'UseRecoveryCode': {
        const { codeHash } = command
        const isKnown = state.codeHashes.some((hash) => constantTimeEqual(hash, codeHash))
        return isKnown ? ok([{ type: 'RecoveryCodeUsed', data: { userId, codeHash } }]) : rejected('wrong-code')
      }
      case 'RemoveSecondFactor':
        return ok(state.totp || state.offer ? [{ type: 'SecondFactorRemoved', data: { userId, by: command.by } }] : [])
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'TotpOffered': {
        const { secret, expiresAt } = event.data
        return { ...state, offer: { secret, expiresAtMs: Date.parse(expiresAt) } }
      }
      case 'TotpEnrolled': {
        const { secret, step } = event.data
        return { ...state, offer: undefined, totp: { secret, usedSteps: [step] } }
      }
      case 'TotpCodeUsed': {
        if (!state.totp) return state
        const usedSteps = [...state.totp.usedSteps, event.data.step].slice(-usedStepsKept)
        return { ...state, totp: { ...state.totp, usedSteps } }
      }
      case 'RecoveryCodesIssued':
        return { ...state, codeHashes: event.data.codeHashes }
      case 'RecoveryCodeUsed':
        return { ...state, codeHashes: state.codeHashes.filter((hash) => hash !== event.data.codeHash) }
      case 'SecondFactorRemoved':
        return none
    }
  },

  parse: storedEventReader(secondFactorEventSchema),
}

/** The secret that a code may confirm now. */
export const openOffer = ({ offer }: SecondFactorState, now: Date): EncryptedText | undefined =>
  offer && offer.expiresAtMs > now.getTime() ? offer.secret : undefined
