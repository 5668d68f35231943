import type { UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { openOffer, type SecondFactorRejection } from './decider.ts'
import { totpOf } from './factors.ts'
import { recoveryCodeHash } from './recovery-codes.ts'
import { issuedCodes, type SecondFactorStream } from './second-factor-stream.ts'
import { newTotpSecret, timeStepOf, totpCodeOf } from './totp.ts'

type SecondFactorsDeps = {
  readonly stream: SecondFactorStream
  readonly vault: Pick<PersonalDataVault, 'index' | 'encrypt' | 'decrypt'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
}

/** `isFirst`: rejects a user who has a second factor already, because the caller knows no more than the password. */
export type Enrollment = { readonly userId: UserId; readonly isFirst: boolean }

/** Authenticator apps and recovery codes of all users. */
export const createSecondFactors = ({ stream, vault, clockAndIds }: SecondFactorsDeps) => {
  const useTotpCode = async (userId: UserId, code: string, metadata: EventMetadata) => {
    const totp = totpOf(await stream.load(userId))
    const secret = totp && (await vault.decrypt(userId, totp.secret))
    const step = secret === undefined ? undefined : timeStepOf(secret, code, clockAndIds.now())
    if (!totp || step === undefined) return rejected('wrong-code' as const)
    return stream.handle({ type: 'UseTotpCode', userId, secret: totp.secret, step }, metadata)
  }

  return {
    of: stream.load,

    /** Makes a secret, which has no effect before `enroll`. */
    offer: async ({ userId, isFirst }: Enrollment, metadata: EventMetadata) => {
      const secret = newTotpSecret()
      const encrypted = await vault.encrypt(userId, secret)
      const command = { type: 'OfferTotp', userId, secret: encrypted, isFirst, now: clockAndIds.now() } as const
      const offered = await stream.handle(command, metadata)
      return offered.ok ? ok(secret) : offered
    },

    /** Turns the offered secret on, if the code is of it. Returns recovery codes, none if the earlier ones go on. */
    enroll: async (
      { userId, isFirst }: Enrollment,
      typed: string,
      metadata: EventMetadata,
    ): Promise<Result<readonly string[], SecondFactorRejection>> => {
      const now = clockAndIds.now()
      const encrypted = openOffer(await stream.load(userId), now)
      const secret = encrypted && (await vault.decrypt(userId, encrypted))
      if (encrypted === undefined || secret === undefined) return rejected('no-offer')
      const code = totpCodeOf(typed)
      const step = code === undefined ? undefined : timeStepOf(secret, code, now)
      if (step === undefined) return rejected('wrong-code')
      const { recoveryCodes, codeHashes } = stream.newCodes(userId)
      const command = { type: 'EnrollTotp', userId, secret: encrypted, step, codeHashes, isFirst, now } as const
      const enrolled = await stream.handle(command, metadata)
      return enrolled.ok ? ok(issuedCodes(enrolled.value, recoveryCodes)) : enrolled
    },

    issueRecoveryCodes: async (userId: UserId, metadata: EventMetadata) => {
      const { recoveryCodes, codeHashes } = stream.newCodes(userId)
      const issued = await stream.handle({ type: 'IssueRecoveryCodes', userId, codeHashes }, metadata)
      return issued.ok ? ok(recoveryCodes) : issued
    },

    /** Takes a code of the authenticator app, or a recovery code. Either works once. */
    useCode: (
      userId: UserId,
      typed: string,
      metadata: EventMetadata,
    ): Promise<Result<unknown, SecondFactorRejection>> => {
      const code = totpCodeOf(typed)
      if (code !== undefined) return useTotpCode(userId, code, metadata)
      const codeHash = recoveryCodeHash(vault, userId, typed)
      return stream.handle({ type: 'UseRecoveryCode', userId, codeHash }, metadata)
    },

    remove: async (userId: UserId, by: UserId, metadata: EventMetadata): Promise<void> => {
      await stream.handle({ type: 'RemoveSecondFactor', userId, by }, metadata)
    },
  }
}
export type SecondFactors = ReturnType<typeof createSecondFactors>
