import * as error from '@portal/contracts/auth/errors'
import * as secondFactor from '@portal/contracts/auth/second-factor'
import type { SecondStepKind } from '@portal/contracts/shared/problem'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { LoggedIn, StartSession } from '../session/start-session.ts'
import { type ActiveUser, isDeactivated, userDecider } from '../user/decider.ts'
import type { FindUser } from '../user/directory.ts'
import { openChallenge } from './challenge.ts'
import type { RelyingParty } from './relying-party.ts'

type OpenSecondStepDeps = {
  readonly eventStore: Pick<EventStore, 'read'>
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
  readonly startSession: StartSession
  readonly findUser: FindUser
}

/** What the client sent for the second step. */
export type SecondStepInput = {
  readonly challenge: string
  readonly clientSecret: string | undefined
  readonly address: string
  readonly deviceName: string
  /** Undefined where passkeys do not work. */
  readonly relyingParty: RelyingParty | undefined
  /** Whether the account with this e-mail index has logged in with the client before. */
  readonly isKnownDevice: (emailIndex: string) => boolean
}

/** The beginning and the end of each second step. */
export const createOpenSecondStep = (deps: OpenSecondStepDeps) => {
  const { eventStore, vault, clockAndIds, startSession, findUser } = deps
  return {
    /** The user whose password was right in this browser, for some minutes. Nothing changes for an account that is deactivated meanwhile. */
    challenged: async (
      { challenge: text, clientSecret }: SecondStepInput,
      kind: SecondStepKind,
    ): Promise<Result<ActiveUser, ApiError>> => {
      const challenge = openChallenge(vault, text, clockAndIds.now())
      if (!challenge) return rejected(secondFactor.secondStepExpired)
      const { state } = await loadState(eventStore, userDecider, challenge.userId)
      if (state.status !== 'active' || !challenge.isOf(state, kind, clientSecret))
        return rejected(secondFactor.secondStepExpired)
      return isDeactivated(state) ? rejected(error.deactivated) : ok(state)
    },

    start: async (
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
    },
  }
}
export type OpenSecondStep = ReturnType<typeof createOpenSecondStep>
