import type { UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { openOffer, type SecondFactorCommand, secondFactorDecider, type SecondFactorRejection } from './decider.ts'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts'
import { newTotpSecret, timeStepOf, totpCodeOf } from './totp.ts'

type SecondFactorsDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly vault: Pick<PersonalDataVault, 'index' | 'encrypt' | 'decrypt'>
  readonly clockAndIds: Pick<ClockAndIds, 'now' | 'newId'>
}

/** `isFirst`: rejects a user who has an authenticator app already, because the caller knows no more than the password. */
type Enrollment = { readonly userId: UserId; readonly isFirst: boolean }

/** The second steps of all users. A login reads the log, so no lagging read model can let anyone pass. */
export const createSecondFactors = ({ eventStore, vault, clockAndIds }: SecondFactorsDeps) => {
  const load = async (userId: UserId) => (await loadState(eventStore, secondFactorDecider, userId)).state

  const run = async (
    command: SecondFactorCommand,
    metadata: EventMetadata,
  ): Promise<Result<void, SecondFactorRejection>> => {
    const options = { eventId: eventIdsOf(clockAndIds.newId()), metadata }
    const handled = await handleCommand(eventStore, secondFactorDecider, command.userId, command, options)
    return handled.ok ? ok(undefined) : handled
  }

  const newCodes = (userId: UserId) => {
    const recoveryCodes = newRecoveryCodes()
    return { recoveryCodes, codeHashes: recoveryCodes.map((code) => recoveryCodeHash(vault, userId, code)) }
  }

  const useTotpCode = async (userId: UserId, code: string, metadata: EventMetadata) => {
    const { totp } = await load(userId)
    const secret = totp && (await vault.decrypt(userId, totp.secret))
    const step = secret === undefined ? undefined : timeStepOf(secret, code, clockAndIds.now())
    if (!totp || step === undefined) return rejected('wrong-code' as const)
    return run({ type: 'UseTotpCode', userId, secret: totp.secret, step }, metadata)
  }

  return {
    of: async (userId: UserId): Promise<{ readonly isOn: boolean; readonly recoveryCodesLeft: number }> => {
      const { totp, codeHashes } = await load(userId)
      return { isOn: totp !== undefined, recoveryCodesLeft: codeHashes.length }
    },

    /** Makes a secret, which has no effect before `enroll`. */
    offer: async ({ userId, isFirst }: Enrollment, metadata: EventMetadata) => {
      const secret = newTotpSecret()
      const encrypted = await vault.encrypt(userId, secret)
      const command = { type: 'OfferTotp', userId, secret: encrypted, isFirst, now: clockAndIds.now() } as const
      const offered = await run(command, metadata)
      return offered.ok ? ok(secret) : offered
    },

    /** Turns the offered secret on, if the code is of it. Returns recovery codes. */
    enroll: async (
      { userId, isFirst }: Enrollment,
      typed: string,
      metadata: EventMetadata,
    ): Promise<Result<readonly string[], SecondFactorRejection>> => {
      const now = clockAndIds.now()
      const encrypted = openOffer(await load(userId), now)
      const secret = encrypted && (await vault.decrypt(userId, encrypted))
      if (encrypted === undefined || secret === undefined) return rejected('no-offer')
      const code = totpCodeOf(typed)
      const step = code === undefined ? undefined : timeStepOf(secret, code, now)
      if (step === undefined) return rejected('wrong-code')
      const { recoveryCodes, codeHashes } = newCodes(userId)
      const command = { type: 'EnrollTotp', userId, secret: encrypted, step, codeHashes, isFirst, now } as const
      const enrolled = await run(command, metadata)
      return enrolled.ok ? ok(recoveryCodes) : enrolled
    },

    issueRecoveryCodes: async (userId: UserId, metadata: EventMetadata) => {
      const { recoveryCodes, codeHashes } = newCodes(userId)
      const issued = await run({ type: 'IssueRecoveryCodes', userId, codeHashes }, metadata)
      return issued.ok ? ok(recoveryCodes) : issued
    },

    /** Takes a code of the authenticator app, or a recovery code. Either works once. */
    useCode: (userId: UserId, typed: string, metadata: EventMetadata): Promise<Result<void, SecondFactorRejection>> => {
      const code = totpCodeOf(typed)
      if (code !== undefined) return useTotpCode(userId, code, metadata)
      return run({ type: 'UseRecoveryCode', userId, codeHash: recoveryCodeHash(vault, userId, typed) }, metadata)
    },

    remove: async (userId: UserId, metadata: EventMetadata): Promise<void> => {
      await run({ type: 'RemoveSecondFactor', userId, by: userId }, metadata)
    },
  }
}
export type SecondFactors = ReturnType<typeof createSecondFactors>

/** Removes the second step on behalf of an operator. A repetition with the same `grantId` changes nothing. */
export const resetSecondFactor = async (
  eventStore: Pick<EventStore, 'read' | 'append'>,
  { userId, by, grantId }: { readonly userId: UserId; readonly by: string; readonly grantId: string },
): Promise<void> => {
  const command = { type: 'RemoveSecondFactor', userId, by } as const
  await handleCommand(eventStore, secondFactorDecider, userId, command, {
    eventId: eventIdsOf('second-factor-reset', grantId),
  })
}
