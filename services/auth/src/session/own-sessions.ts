import { type OpenSession, sessionNotFound } from '@portal/contracts/auth/sessions'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { SessionId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata, EventStore, Position } from '@portal/platform/event-store/port'
import type { ReadModels } from '@portal/platform/generations/read-models'
import { deviceNameOf } from '@portal/platform/http/device-name'
import type { ApiError } from '@portal/platform/http/handler'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { Session } from '@portal/platform/session/session'
import type { IdleLimits } from '@portal/platform/session/session-idle'
import { createCurrentSessions, presentSession } from './current-sessions.ts'
import { endSession } from './end-session.ts'
import { type ListedSession, openSessionsProjection, sessionProjection } from './projection.ts'

type OwnSessionsDeps = {
  readonly eventStore: EventStore
  readonly readModels: Pick<ReadModels, 'of'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
  readonly securityLog: Pick<SecurityLog, 'record'>
  readonly sessionIdle?: IdleLimits
}

/** Where a user is signed in. */
export const createOwnSessions = (deps: OwnSessionsDeps) => {
  const { eventStore, readModels, securityLog } = deps
  const current = createCurrentSessions(deps)

  /** Waits until the tokens are rejected and the list no longer has the sessions. */
  const end = async (
    sessions: readonly ListedSession[],
    { userId }: Pick<Session, 'userId'>,
    metadata: EventMetadata,
  ): Promise<void> => {
    const ended = await Promise.all(
      sessions.map(async ({ sessionId, expiresAt }) => {
        const session = { sessionId, userId, expiresAt: new Date(expiresAt) }
        const position = (await endSession(eventStore, session, 'signed-out', metadata))?.position
        securityLog.record({ event: 'session-ended', result: 'ok', code: 'signed-out', userId, sessionId })
        return position
      }),
    )
    const eventPosition = ended
      .filter((position): position is Position => position !== undefined)
      .toSorted()
      .at(-1)
    if (eventPosition === undefined) return
    await Promise.all(
      [sessionProjection, openSessionsProjection].map((projection) =>
        waitForProjection(readModels.of(projection), { projection, partition: bucketKey(userId), eventPosition }),
      ),
    )
  }

  return {
    /** `userAgent`: of the caller, whose own session may not be listed yet. */
    list: async ({ sessionId, userId, role }: Session, userAgent: string | undefined): Promise<OpenSession[]> => {
      const listed = (await current({ userId, role })).map((session) => ({
        ...presentSession(session),
        isThis: session.sessionId === sessionId,
      }))
      const own = listed.find(({ isThis }) => isThis) ?? { id: sessionId, isThis: true }
      return [{ ...own, device: deviceNameOf(userAgent) }, ...listed.filter(({ isThis }) => !isThis)]
    },

    signOut: async (caller: Session, id: SessionId, metadata: EventMetadata): Promise<Result<void, ApiError>> => {
      const session = (await current(caller)).find(({ sessionId }) => sessionId === id)
      if (session === undefined) return rejected(sessionNotFound)
      await end([session], caller, metadata)
      return ok(undefined)
    },

    /** Returns how many have ended. */
    signOutOthers: async (caller: Session, metadata: EventMetadata): Promise<number> => {
      const others = (await current(caller)).filter(({ sessionId }) => sessionId !== caller.sessionId)
      await end(others, caller, metadata)
      return others.length
    },
  }
}
export type OwnSessions = ReturnType<typeof createOwnSessions>
