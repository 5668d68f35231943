import type { EncryptedText } from '@portal/contracts/auth/events'
import { maxPasskeys } from '@portal/contracts/auth/passkeys'
import type { PasskeyId, UserId } from '@portal/contracts/shared/ids'
import { type Decider, ok, rejected, type Result } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { constantTimeEqual } from '../constant-time-equal.ts'
import { type SecondFactorEvent, secondFactorEventSchema } from './events.ts'
import { evolve, isOn, noSecondFactor, passkeysOf, type SecondFactorState, totpOf } from './factors.ts'

/** How long an offered secret can be confirmed: long enough to install an app. */
export const offerValidMs = 15 * 60_000

type PasskeyAdded = Extract<SecondFactorEvent, { type: 'PasskeyAdded' }>['data']

type AddPasskey = Omit<PasskeyAdded, 'userId'> & {
  readonly type: 'AddPasskey'
  /** In case it is the first second factor. */
  readonly codeHashes: readonly string[]
  readonly isFirst: boolean
}

type UsePasskey = {
  readonly type: 'UsePasskey'
  readonly passkeyId: PasskeyId
  readonly counter: number
  readonly day: string
}

type RemovePasskey = {
  readonly type: 'RemovePasskey'
  readonly passkeyId: PasskeyId
  readonly by: string
  /** Whether the user needs a second factor. */
  readonly isRequired: boolean
}

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
  | AddPasskey
  | UsePasskey
  | RemovePasskey
  | { readonly type: 'IssueRecoveryCodes'; readonly codeHashes: readonly string[] }
  | { readonly type: 'UseRecoveryCode'; readonly codeHash: string }
  | { readonly type: 'RemoveSecondFactor'; readonly by: string }
)

/**
 * 'wrong-code': unknown or used, or of a secret that was replaced meanwhile. 'copied-passkey': its counter went back. `isFirst` asks
 * for 'already-on', `isRequired` for 'required'.
 */
export type SecondFactorRejection =
  | 'already-on'
  | 'off'
  | 'required'
  | 'no-offer'
  | 'used-code'
  | 'wrong-code'
  | 'too-many-passkeys'
  | 'passkey-exists'
  | 'no-such-passkey'
  | 'copied-passkey'

type Decision = Result<readonly SecondFactorEvent[], SecondFactorRejection>

/** The second step of one user's logins: an authenticator app, passkeys, and recovery codes for when they are lost. */
export const secondFactorDecider: Decider<
  SecondFactorState,
  SecondFactorCommand,
  SecondFactorEvent,
  SecondFactorRejection
> = {
  category: 'secondfactor',
  initial: noSecondFactor,

  decide(command, state) {
    const { userId } = command
    switch (command.type) {
      case 'OfferTotp': {
        const { secret, isFirst, now } = command
        if (isFirst && isOn(state)) return rejected('already-on')
        const expiresAt = new Date(now.getTime() + offerValidMs).toISOString()
        return ok([{ type: 'TotpOffered', data: { userId, secret, expiresAt } }])
      }
      case 'EnrollTotp': {
        const { secret, step, codeHashes, isFirst, now } = command
        if (isFirst && isOn(state)) return rejected('already-on')
        if (openOffer(state, now) !== secret) return rejected('no-offer')
        const enrolled = { type: 'TotpEnrolled', data: { userId, secret, step } } as const
        const isOnlyFactor = passkeysOf(state).length === 0
        return ok([enrolled, ...(isOnlyFactor ? [recoveryCodesIssued(userId, codeHashes)] : [])])
      }
      case 'UseTotpCode': {
        const { secret, step } = command
        const totp = totpOf(state)
        if (totp?.secret !== secret) return rejected('wrong-code')
        if (totp.usedSteps.includes(step)) return rejected('used-code')
        return ok([{ type: 'TotpCodeUsed', data: { userId, step } }])
      }
      case 'AddPasskey':
        return addPasskey(command, state)
      case 'UsePasskey':
        return usePasskey(command, state)
      case 'RemovePasskey':
        return removePasskey(command, state)
      case 'IssueRecoveryCodes':
        if (!isOn(state)) return rejected('off')
        return ok([recoveryCodesIssued(userId, command.codeHashes, { areRenewed: true })])
      case 'UseRecoveryCode': {
        const { codeHash } = command
        const isKnown = state.codeHashes.some((hash) => constantTimeEqual(hash, codeHash))
        return isKnown ? ok([{ type: 'RecoveryCodeUsed', data: { userId, codeHash } }]) : rejected('wrong-code')
      }
      case 'RemoveSecondFactor': {
        const { by } = command
        if (isOn(state)) return ok([{ type: 'SecondFactorRemoved', data: { userId, by } }])
        return ok(state.offer ? [{ type: 'SecondFactorRemoved', data: { userId, by, wasOff: true } }] : [])
      }
    }
  },

  evolve,

  parse: storedEventReader(secondFactorEventSchema),
}

const recoveryCodesIssued = (
  userId: UserId,
  codeHashes: readonly string[],
  renewal: { readonly areRenewed?: true } = {},
): SecondFactorEvent => ({ type: 'RecoveryCodesIssued', data: { userId, codeHashes: [...codeHashes], ...renewal } })

type Of<C> = { readonly userId: UserId } & C

/** The codes that came with an earlier factor stay as they are. */
const addPasskey = (command: Of<AddPasskey>, state: SecondFactorState): Decision => {
  const { type: _type, isFirst, codeHashes, ...data } = command
  const passkeys = passkeysOf(state)
  if (isFirst && isOn(state)) return rejected('already-on')
  if (passkeys.some(({ credentialIndex }) => credentialIndex === data.credentialIndex))
    return rejected('passkey-exists')
  if (passkeys.length >= maxPasskeys) return rejected('too-many-passkeys')
  const added = { type: 'PasskeyAdded', data } as const
  return ok([added, ...(isOn(state) ? [] : [recoveryCodesIssued(data.userId, codeHashes)])])
}

/** Most passkeys have no counter: their logins of a day are one event, because the stream is read at each login. */
const usePasskey = ({ userId, passkeyId, counter, day }: Of<UsePasskey>, state: SecondFactorState): Decision => {
  const passkey = passkeysOf(state).find((one) => one.passkeyId === passkeyId)
  if (!passkey) return rejected('no-such-passkey')
  const hasCounter = counter > 0 || passkey.counter > 0
  if (hasCounter && counter <= passkey.counter) return rejected('copied-passkey')
  const isRecorded = counter === passkey.counter && day === passkey.lastUsedOn
  return ok(isRecorded ? [] : [{ type: 'PasskeyUsed', data: { userId, passkeyId, counter, day } }])
}

const removePasskey = (command: Of<RemovePasskey>, state: SecondFactorState): Decision => {
  const { userId, passkeyId, by, isRequired } = command
  if (!passkeysOf(state).some((one) => one.passkeyId === passkeyId)) return rejected('no-such-passkey')
  const isLast = state.factors.length === 1
  if (isLast && isRequired) return rejected('required')
  if (!isLast) return ok([{ type: 'PasskeyRemoved', data: { userId, passkeyId } }])
  return ok([
    { type: 'PasskeyRemoved', data: { userId, passkeyId, isLast } },
    { type: 'SecondFactorRemoved', data: { userId, by } },
  ])
}

/** The secret that a code may confirm now. */
export const openOffer = ({ offer }: SecondFactorState, now: Date): EncryptedText | undefined =>
  offer && offer.expiresAtMs > now.getTime() ? offer.secret : undefined
