import type { SignedByPasskey } from '@portal/contracts/auth/factor-proof'
import type { CreatedPasskey, PasskeyCreationOptions, PasskeyRequestOptions } from '@portal/contracts/auth/passkeys'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import type { LoggedIn } from '../session/start-session.ts'
import type { OpenSecondStep, SecondStepInput } from './open-second-step.ts'
import type { Ceremony, Passkeys } from './passkeys.ts'
import type { ProveFactor } from './prove-factor.ts'
import { apiErrorOf } from './rejections.ts'

type PasskeyStepDeps = {
  readonly step: OpenSecondStep
  readonly passkeys: Passkeys
  readonly proveFactor: Pick<ProveFactor, 'byPasskey'>
}

const ceremonyOf = ({ relyingParty, challenge }: SecondStepInput): Ceremony => ({ relyingParty, boundTo: challenge })

/** The second step of a login with a passkey, after the password was right. */
export const createPasskeyStep = ({ step, passkeys, proveFactor }: PasskeyStepDeps) => {
  return {
    begin: async (asked: SecondStepInput): Promise<Result<PasskeyRequestOptions, ApiError>> => {
      const opened = await step.challenged(asked, 'code')
      if (!opened.ok) return opened
      const begun = await passkeys.beginUse(opened.value.userId, ceremonyOf(asked))
      return begun.ok ? begun : rejected(apiErrorOf(begun.error))
    },

    take: async (
      asked: SecondStepInput & { readonly credential: SignedByPasskey },
      metadata: EventMetadata,
    ): Promise<Result<LoggedIn, ApiError>> => {
      const opened = await step.challenged(asked, 'code')
      if (!opened.ok) return opened
      const user = opened.value
      const { userId } = user
      const by = { ...metadata, actorId: userId }
      const proved = await proveFactor.byPasskey(
        { userId, address: asked.address },
        ceremonyOf(asked),
        asked.credential,
        by,
      )
      return proved.ok ? step.start(user, asked, metadata) : proved
    },

    /** For an admin who has no second factor and must have one. */
    beginAdding: async (asked: SecondStepInput): Promise<Result<PasskeyCreationOptions, ApiError>> => {
      const opened = await step.challenged(asked, 'set-up')
      if (!opened.ok) return opened
      const begun = await passkeys.beginAdding({ userId: opened.value.userId, isFirst: true }, ceremonyOf(asked))
      return begun.ok ? begun : rejected(apiErrorOf(begun.error))
    },

    add: async (
      asked: SecondStepInput & { readonly credential: CreatedPasskey },
      metadata: EventMetadata,
    ): Promise<Result<LoggedIn & { readonly recoveryCodes: readonly string[] }, ApiError>> => {
      const opened = await step.challenged(asked, 'set-up')
      if (!opened.ok) return opened
      const { userId } = opened.value
      const made = { credential: asked.credential, label: asked.deviceName }
      const by = { ...metadata, actorId: userId }
      const added = await passkeys.add({ userId, isFirst: true }, ceremonyOf(asked), made, by)
      if (!added.ok) return rejected(apiErrorOf(added.error))
      const started = await step.start(opened.value, asked, metadata)
      return started.ok ? ok({ ...started.value, recoveryCodes: added.value.recoveryCodes }) : started
    },
  }
}
export type PasskeyStep = ReturnType<typeof createPasskeyStep>
