import { maxSessions } from '@portal/contracts/auth/sessions'
import type { User } from '@portal/contracts/auth/user'
import { sessionIdSchema, type UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { Session } from '@portal/platform/session/session'
import { signSessionToken } from '@portal/platform/session/session-tokens'
import type { SigningKeys } from '@portal/platform/session/signing-keys'
import { type ActiveUser, isDeactivated, isOfCurrentPassword, userDecider, type UserState } from '../user/decider.ts'
import type { Login } from '../user/projection.ts'
import { sessionDecider } from './decider.ts'
import { endSession } from './end-session.ts'
import { hasLoggedIn, newestSessions } from './projection.ts'

const dayMs = 24 * 60 * 60 * 1_000

/** Default lifetime of a session. */
export const defaultSessionLifetimeMs = 7 * dayMs

type StartSessionDeps = {
  readonly eventStore: EventStore
  readonly openSessions: ReadStore
  readonly clockAndIds: ClockAndIds
  readonly signingKeys: SigningKeys
  readonly sessionLifetimeMs: number
  readonly securityLog: Pick<SecurityLog, 'record'>
}

/** 'not-granted': the read model grants this login, but the log does not. */
type StartRejection = 'password-changed' | 'deactivated' | 'not-granted'
type StartedSession = { readonly session: Session; readonly token: string; readonly expiresAt: Date }
/** The result of a login. */
export type LoggedIn = StartedSession & { readonly user: User; readonly emailIndex: string }

/** More than one, so that a burst of concurrent logins is compensated. */
const maxEndedPerLogin = 10

/**
 * Returns whether the user's own stream confirms the login of the read model. It does not if the read model lags behind
 * a change of role or address, is corrupt, or was tampered with.
 */
const isGrantedTo = (
  user: UserState,
  { role, emailIndex }: Pick<Login, 'role'> & { readonly emailIndex: string },
): user is ActiveUser => user.status === 'active' && user.role === role && user.emailIndex === emailIndex

export const createStartSession = (deps: StartSessionDeps) => {
  const { eventStore, openSessions, clockAndIds, signingKeys, sessionLifetimeMs, securityLog } = deps
  const loadUser = async (userId: UserId): Promise<UserState> =>
    (await loadState(eventStore, userDecider, userId)).state

  /** The new session may or may not be listed already. */
  const endSuperseded = async ({ userId, sessionId }: Session, metadata: EventMetadata): Promise<void> => {
    const newest = await newestSessions(openSessions, userId, maxSessions + maxEndedPerLogin)
    const others = newest.filter((session) => session.sessionId !== sessionId)
    for (const session of others.slice(maxSessions - 1)) {
      const ended = { ...session, expiresAt: new Date(session.expiresAt) }
      await endSession(eventStore, ended, 'superseded', metadata)
      const event = { event: 'session-ended', result: 'ok', code: 'superseded' } as const
      securityLog.record({ ...event, userId, sessionId: session.sessionId })
    }
  }

  /**
   * Starts a session after the password check. Rejects if the password changed or the account was deactivated meanwhile: both end
   * earlier sessions, and this check ends later ones, so that none survives. The role comes from the log. If the read model
   * contradicts the log, it rejects before it records anything.
   */
  return async (
    login: Login & { readonly emailIndex: string; readonly deviceName: string; readonly isKnownDevice: boolean },
    caller: EventMetadata,
  ): Promise<Result<StartedSession, StartRejection>> => {
    const { userId } = login
    const user = await loadUser(userId)
    if (!isGrantedTo(user, login)) return rejected('not-granted')
    if (isDeactivated(user)) return rejected('deactivated')
    const { role } = user
    const now = clockAndIds.now()
    // Tokens have whole seconds.
    const expiresAt = new Date(Math.floor((now.getTime() + sessionLifetimeMs) / 1_000) * 1_000)
    const session: Session = { sessionId: sessionIdSchema.parse(clockAndIds.newId()), userId, role, expiresAt }
    const metadata = { ...caller, actorId: userId }
    const { deviceName, isKnownDevice } = login
    const isNewDevice = !isKnownDevice && (await hasLoggedIn(openSessions, userId))
    const command = { type: 'StartSession', ...session, deviceName, isNewDevice } as const
    await handleCommand(eventStore, sessionDecider, session.sessionId, command, {
      eventId: eventIdsOf('session-started', session.sessionId),
      metadata,
    })
    const since = await loadUser(userId)
    if (!isOfCurrentPassword(since, login.credential)) {
      await endSession(eventStore, session, 'password-changed', metadata)
      return rejected('password-changed')
    }
    if (isDeactivated(since)) {
      await endSession(eventStore, session, 'deactivated', metadata)
      return rejected('deactivated')
    }
    await endSuperseded(session, metadata)
    return ok({ session, token: await signSessionToken(signingKeys, session, now), expiresAt })
  }
}
export type StartSession = ReturnType<typeof createStartSession>
