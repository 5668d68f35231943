import type { EncryptedText } from '@portal/contracts/auth/events'
import type { PasskeyId } from '@portal/contracts/shared/ids'
import type { SecondFactorKind } from '@portal/contracts/shared/problem'
import type { SecondFactorEvent } from './events.ts'

/** A code is accepted in three time steps. More are kept for the case that the clock was wrong. */
const usedStepsKept = 10

export type TotpFactor = {
  readonly kind: 'totp'
  readonly secret: EncryptedText
  readonly usedSteps: readonly number[]
}

type PasskeyAdded = Extract<SecondFactorEvent, { type: 'PasskeyAdded' }>['data']
export type PasskeyFactor = Omit<PasskeyAdded, 'userId'> & {
  readonly kind: 'passkey'
  readonly lastUsedOn: string | undefined
}

/** What a login can ask for after the password. */
export type Factor = TotpFactor | PasskeyFactor

export type SecondFactorState = {
  /** An offered secret of an authenticator app, not confirmed. */
  readonly offer: { readonly secret: EncryptedText; readonly expiresAtMs: number } | undefined
  /** In the order in which they were added. At most one is an authenticator app. */
  readonly factors: readonly Factor[]
  /** Of the recovery codes that have not been used. They belong to all factors. */
  readonly codeHashes: readonly string[]
}

export const noSecondFactor: SecondFactorState = { offer: undefined, factors: [], codeHashes: [] }

/** Whether logins have a second step. */
export const isOn = ({ factors }: Pick<SecondFactorState, 'factors'>): boolean => factors.length > 0

export const totpOf = ({ factors }: Pick<SecondFactorState, 'factors'>): TotpFactor | undefined =>
  factors.find((factor) => factor.kind === 'totp')

export const passkeysOf = ({ factors }: Pick<SecondFactorState, 'factors'>): readonly PasskeyFactor[] =>
  factors.filter((factor) => factor.kind === 'passkey')

export const factorKindsOf = ({ factors }: Pick<SecondFactorState, 'factors'>): readonly SecondFactorKind[] => [
  ...new Set(factors.map(({ kind }) => kind)),
]

const changeTotp = ({ factors }: SecondFactorState, change: (totp: TotpFactor) => TotpFactor): readonly Factor[] =>
  factors.map((factor) => (factor.kind === 'totp' ? change(factor) : factor))

const changePasskey = (
  { factors }: SecondFactorState,
  passkeyId: PasskeyId,
  change: (passkey: PasskeyFactor) => PasskeyFactor,
): readonly Factor[] =>
  factors.map((factor) => (factor.kind === 'passkey' && factor.passkeyId === passkeyId ? change(factor) : factor))

export const evolve = (state: SecondFactorState, event: SecondFactorEvent): SecondFactorState => {
  switch (event.type) {
    case 'TotpOffered': {
      const { secret, expiresAt } = event.data
      return { ...state, offer: { secret, expiresAtMs: Date.parse(expiresAt) } }
    }
    case 'TotpEnrolled': {
      const { secret, step } = event.data
      const others = state.factors.filter(({ kind }) => kind !== 'totp')
      return { ...state, offer: undefined, factors: [...others, { kind: 'totp', secret, usedSteps: [step] }] }
    }
    case 'TotpCodeUsed': {
      const { step } = event.data
      const use = (totp: TotpFactor) => ({ ...totp, usedSteps: [...totp.usedSteps, step].slice(-usedStepsKept) })
      return { ...state, factors: changeTotp(state, use) }
    }
    case 'PasskeyAdded': {
      const { userId: _owner, ...passkey } = event.data
      // An offer from before the first second factor took no proof of one.
      const offer = isOn(state) ? state.offer : undefined
      return { ...state, offer, factors: [...state.factors, { kind: 'passkey', ...passkey, lastUsedOn: undefined }] }
    }
    case 'PasskeyUsed': {
      const { passkeyId, counter, day } = event.data
      const use = (passkey: PasskeyFactor) => ({ ...passkey, counter, lastUsedOn: day })
      return { ...state, factors: changePasskey(state, passkeyId, use) }
    }
    case 'PasskeyRemoved': {
      const { passkeyId } = event.data
      const others = state.factors.filter((factor) => factor.kind !== 'passkey' || factor.passkeyId !== passkeyId)
      return { ...state, factors: others }
    }
    case 'RecoveryCodesIssued':
      return { ...state, codeHashes: event.data.codeHashes }
    case 'RecoveryCodeUsed':
      return { ...state, codeHashes: state.codeHashes.filter((hash) => hash !== event.data.codeHash) }
    case 'SecondFactorRemoved':
      return noSecondFactor
  }
}
