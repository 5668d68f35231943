import * as error from '@portal/contracts/auth/errors'
import type {
  CreatedPasskey,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  SignedByPasskey,
} from '@portal/contracts/auth/passkeys'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import { attemptAll, type AttemptLimiter, refundAll } from '@portal/platform/limits/port'
import { afterWait } from '../after-wait.ts'
import type { LoggedIn } from '../session/start-session.ts'
import type { ActiveUser } from '../user/decider.ts'
import type { OpenSecondStep, SecondStepInput } from './open-second-step.ts'
import type { Ceremony, Passkeys } from './passkeys.ts'
import { apiErrorOf } from './rejections.ts'

type PasskeyStepDeps = {
  readonly step: OpenSecondStep
  readonly passkeys: Passkeys
  /** Signatures cannot be guessed. This limits the work. */
  readonly wrongPasskeysPerUserAndAddress: AttemptLimiter
}

const ceremonyOf = ({ relyingParty, challenge }: SecondStepInput): Ceremony => ({ relyingParty, boundTo: challenge })

/** The second step of a login with a passkey, after the password was right. */
export const createPasskeyStep = ({ step, passkeys, wrongPasskeysPerUserAndAddress }: PasskeyStepDeps) => {
  /** Counts before the check, so that concurrent requests cannot exceed the limit. */
  const use = async (
    { userId }: ActiveUser,
    asked: SecondStepInput & { readonly credential: SignedByPasskey },
    metadata: EventMetadata,
  ): Promise<Result<void, ApiError>> => {
    const counted = [{ limiter: wrongPasskeysPerUserAndAddress, key: `${userId} ${asked.address}` }]
    const wait = await attemptAll(counted)
    if (wait !== undefined) return rejected(afterWait(error.tooManyChecks, wait))
    const used = await passkeys.use(userId, ceremonyOf(asked), asked.credential, metadata)
    if (!used.ok) return rejected(apiErrorOf(used.error))
    await refundAll(counted)
    return ok(undefined)
  }

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
      const used = await use(user, asked, { ...metadata, actorId: user.userId })
      return used.ok ? step.start(user, asked, metadata) : used
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
