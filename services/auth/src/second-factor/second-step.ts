import { secondStepRequired } from '@portal/contracts/auth/errors'
import type { Role } from '@portal/contracts/auth/user'
import type { SecondFactorKind, SecondStepKind } from '@portal/contracts/shared/problem'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { LoggedIn } from '../session/start-session.ts'
import type { Login } from '../user/projection.ts'
import { newChallenge } from './challenge.ts'
import { factorKindsOf, isOn } from './factors.ts'
import type { OpenSecondStep, SecondStepInput } from './open-second-step.ts'
import type { ProveFactor } from './prove-factor.ts'
import { apiErrorOf } from './rejections.ts'
import type { RelyingParty } from './relying-party.ts'
import type { SecondFactors } from './second-factors.ts'
import type { OfferedTotp, OfferTotp } from './offer-totp.ts'

export type AdminMfa = 'optional' | 'required'

type SecondStepDeps = {
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
  readonly secondFactors: SecondFactors
  readonly offerTotp: OfferTotp
  readonly proveFactor: Pick<ProveFactor, 'byCode'>
  readonly adminMfa: AdminMfa
  readonly step: OpenSecondStep
}

/** The browser that sent the password. */
type Asking = { readonly clientSecret: string; readonly relyingParty: RelyingParty | undefined }

/** The second step of a login, after the password was right: which one, and that with codes. */
export const createSecondStep = (deps: SecondStepDeps) => {
  const { vault, clockAndIds, secondFactors, offerTotp, proveFactor, adminMfa, step } = deps

  /** Undefined if the login needs none. */
  const stepFor = async (
    { userId, role }: Pick<Login, 'userId' | 'role'>,
    relyingParty: RelyingParty | undefined,
  ): Promise<{ readonly kind: SecondStepKind; readonly factors: SecondFactorKind[] } | undefined> => {
    const usable = (kinds: readonly SecondFactorKind[]) => kinds.filter((kind) => kind !== 'passkey' || relyingParty)
    const state = await secondFactors.of(userId)
    if (isOn(state)) return { kind: 'code', factors: usable(factorKindsOf(state)) }
    return isRequiredFor(role, adminMfa) ? { kind: 'set-up', factors: usable(['totp', 'passkey']) } : undefined
  }

  return {
    /** The error of a login that needs a second step, with a challenge for it. Undefined if it needs none. */
    ask: async (
      { userId, role, credential }: Login,
      { clientSecret, relyingParty }: Asking,
    ): Promise<(ApiError & Required<Pick<ApiError, 'secondStep'>>) | undefined> => {
      const asked = await stepFor({ userId, role }, relyingParty)
      if (asked === undefined) return undefined
      const { kind, factors } = asked
      const challenge = newChallenge(vault, { kind, userId, credential, clientSecret }, clockAndIds.now())
      return { ...secondStepRequired, secondStep: { kind, challenge, factors } }
    },

    take: async (
      asked: SecondStepInput & { readonly code: string },
      metadata: EventMetadata,
    ): Promise<Result<LoggedIn, ApiError>> => {
      const opened = await step.challenged(asked, 'code')
      if (!opened.ok) return opened
      const user = opened.value
      const { userId } = user
      const prover = { userId, address: asked.address }
      const proved = await proveFactor.byCode(prover, asked.code, { ...metadata, actorId: userId })
      return proved.ok ? step.start(user, asked, metadata) : proved
    },

    /** For an admin who has no second factor and must have one. */
    offer: async (asked: SecondStepInput, metadata: EventMetadata): Promise<Result<OfferedTotp, ApiError>> => {
      const opened = await step.challenged(asked, 'set-up')
      if (!opened.ok) return opened
      const { userId } = opened.value
      return offerTotp({ userId, isFirst: true }, { ...metadata, actorId: userId })
    },

    enroll: async (
      asked: SecondStepInput & { readonly code: string },
      metadata: EventMetadata,
    ): Promise<Result<LoggedIn & { readonly recoveryCodes: readonly string[] }, ApiError>> => {
      const opened = await step.challenged(asked, 'set-up')
      if (!opened.ok) return opened
      const { userId } = opened.value
      const enrolled = await secondFactors.enroll({ userId, isFirst: true }, asked.code, {
        ...metadata,
        actorId: userId,
      })
      if (!enrolled.ok) return rejected(apiErrorOf(enrolled.error))
      const started = await step.start(opened.value, asked, metadata)
      return started.ok ? ok({ ...started.value, recoveryCodes: enrolled.value }) : started
    },
  }
}
export type SecondStep = ReturnType<typeof createSecondStep>

export const isRequiredFor = (role: Role, adminMfa: AdminMfa): boolean => role === 'admin' && adminMfa === 'required'
