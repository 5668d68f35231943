import * as error from '@portal/contracts/auth/errors'
import * as secondFactor from '@portal/contracts/auth/second-factor'
import type { Role } from '@portal/contracts/auth/user'
import type { SecondStepKind } from '@portal/contracts/shared/problem'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import { attemptAll, type AttemptLimiter, type Counted, refundAll } from '@portal/platform/limits/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { afterWait } from '../after-wait.ts'
import type { LoggedIn, StartSession } from '../session/start-session.ts'
import { type ActiveUser, userDecider } from '../user/decider.ts'
import type { FindUser } from '../user/directory.ts'
import type { Login } from '../user/projection.ts'
import { newChallenge, openChallenge } from './challenge.ts'
import { apiErrorOf } from './rejections.ts'
import type { SecondFactors } from './second-factors.ts'
import type { OfferedTotp, OfferTotp } from './offer-totp.ts'
import { totpCodeOf } from './totp.ts'

export type AdminMfa = 'optional' | 'required'

type SecondStepDeps = {
  readonly eventStore: Pick<EventStore, 'read'>
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
  readonly secondFactors: SecondFactors
  readonly offerTotp: OfferTotp
  readonly adminMfa: AdminMfa
  readonly startSession: StartSession
  readonly findUser: FindUser
  readonly limiters: SecondStepLimiters
}

export type SecondStepLimiters = {
  /** Limits guesses of the six digits. Only those who know the password get here. */
  readonly wrongCodesPerUser: readonly AttemptLimiter[]
  /** Recovery codes cannot be guessed, so they work for an owner whose other limit is used up. This limits the work. */
  readonly wrongRecoveryCodesPerUserAndAddress: AttemptLimiter
}

/** What the client sent for the second step. */
export type SecondStepInput = {
  readonly challenge: string
  readonly clientSecret: string | undefined
  readonly address: string
  readonly deviceName: string
  /** Whether the account with this e-mail index has logged in with the client before. */
  readonly isKnownDevice: (emailIndex: string) => boolean
}

/** The second step of a login, after the password was right. */
export const createSecondStep = (deps: SecondStepDeps) => {
  const { eventStore, vault, clockAndIds, secondFactors, offerTotp, adminMfa, startSession, findUser, limiters } = deps

  const kindFor = async ({ userId, role }: Pick<Login, 'userId' | 'role'>): Promise<SecondStepKind | undefined> => {
    if ((await secondFactors.of(userId)).isOn) return 'code'
    return isRequiredFor(role, adminMfa) ? 'set-up' : undefined
  }

  const challenged = async (
    { challenge: text, clientSecret }: SecondStepInput,
    kind: SecondStepKind,
  ): Promise<ActiveUser | undefined> => {
    const challenge = openChallenge(vault, text, clockAndIds.now())
    if (!challenge) return undefined
    const { state } = await loadState(eventStore, userDecider, challenge.userId)
    return state.status === 'active' && challenge.isOf(state, kind, clientSecret) ? state : undefined
  }

  const start = async (
    user: ActiveUser,
    { deviceName, isKnownDevice }: SecondStepInput,
    metadata: EventMetadata,
  ): Promise<Result<LoggedIn, ApiError>> => {
    const { userId, emailIndex } = user
    const found = await findUser(userId)
    if (!found) return rejected(secondFactor.secondStepExpired)
    const started = await startSession({ ...user, deviceName, isKnownDevice: isKnownDevice(emailIndex) }, metadata)
    if (started.ok) return ok({ user: found, emailIndex, ...started.value })
    return rejected(started.error === 'deactivated' ? error.deactivated : secondFactor.secondStepExpired)
  }

  /** Counts before the check, so that concurrent requests cannot exceed the limit. */
  const useCode = async (
    { userId }: ActiveUser,
    code: string,
    address: string,
    metadata: EventMetadata,
  ): Promise<Result<void, ApiError>> => {
    const counted: readonly Counted[] =
      totpCodeOf(code) === undefined
        ? [{ limiter: limiters.wrongRecoveryCodesPerUserAndAddress, key: `${userId} ${address}` }]
        : limiters.wrongCodesPerUser.map((limiter) => ({ limiter, key: userId }))
    const wait = await attemptAll(counted)
    if (wait !== undefined) return rejected(afterWait(error.tooManyChecks, wait))
    const used = await secondFactors.useCode(userId, code, metadata)
    if (!used.ok) return rejected(apiErrorOf(used.error))
    await refundAll(counted)
    return ok(undefined)
  }

  return {
    /** The error of a login that needs a second step, with a challenge for it. Undefined if it needs none. */
    ask: async (
      { userId, role, credential }: Login,
      clientSecret: string,
    ): Promise<(ApiError & Required<Pick<ApiError, 'secondStep'>>) | undefined> => {
      const kind = await kindFor({ userId, role })
      if (kind === undefined) return undefined
      const challenge = newChallenge(vault, { kind, userId, credential, clientSecret }, clockAndIds.now())
      return { ...error.secondStepRequired, secondStep: { kind, challenge } }
    },

    take: async (
      asked: SecondStepInput & { readonly code: string },
      metadata: EventMetadata,
    ): Promise<Result<LoggedIn, ApiError>> => {
      const user = await challenged(asked, 'code')
      if (!user) return rejected(secondFactor.secondStepExpired)
      const used = await useCode(user, asked.code, asked.address, { ...metadata, actorId: user.userId })
      return used.ok ? start(user, asked, metadata) : used
    },

    /** For an admin who has no authenticator app and must have one. */
    offer: async (asked: SecondStepInput, metadata: EventMetadata): Promise<Result<OfferedTotp, ApiError>> => {
      const user = await challenged(asked, 'set-up')
      if (!user) return rejected(secondFactor.secondStepExpired)
      const { userId } = user
      return offerTotp({ userId, isFirst: true }, { ...metadata, actorId: userId })
    },

    enroll: async (
      asked: SecondStepInput & { readonly code: string },
      metadata: EventMetadata,
    ): Promise<Result<LoggedIn & { readonly recoveryCodes: readonly string[] }, ApiError>> => {
      const user = await challenged(asked, 'set-up')
      if (!user) return rejected(secondFactor.secondStepExpired)
      const { userId } = user
      const enrolled = await secondFactors.enroll({ userId, isFirst: true }, asked.code, {
        ...metadata,
        actorId: userId,
      })
      if (!enrolled.ok) return rejected(apiErrorOf(enrolled.error))
      const started = await start(user, asked, metadata)
      return started.ok ? ok({ ...started.value, recoveryCodes: enrolled.value }) : started
    },
  }
}
export type SecondStep = ReturnType<typeof createSecondStep>

export const isRequiredFor = (role: Role, adminMfa: AdminMfa): boolean => role === 'admin' && adminMfa === 'required'
