import type { AuthEvent, EndedSessions } from '@portal/contracts/auth/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ReadModels } from '@portal/platform/generations/read-models'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import { readModelLimits } from '@portal/platform/read-model/limits'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import { boundedCache } from '@portal/platform/cache/bounded-cache'
import { endSession } from './end-session.ts'
import { newestSessions, openSessionsProjection, sessionProjection } from './projection.ts'

type EndEarlierSessionsDeps = {
  readonly eventStore: EventStore
  readonly readModels: Pick<ReadModels, 'of'>
  readonly securityLog: Pick<SecurityLog, 'record'>
}

type PasswordChange = {
  readonly userId: UserId
  /** Position of the message that announces the change. */
  readonly position: string
  readonly endsSessions: EndedSessions
}

const timeoutMs = 5_000

/** The earlier sessions that a change of the account ends. */
export const sessionsEndedBy = (event: AuthEvent): EndedSessions | undefined => {
  switch (event.type) {
    case 'UserPasswordChanged':
      return event.data.endsSessions
    case 'UserRoleChanged':
      return { reason: 'role-changed' }
    case 'UserDeactivated':
      return { reason: 'deactivated' }
    case 'UserEmailReleased':
      return { reason: 'email-reclaimed' }
    case 'UserSessionsEnded':
      return { reason: 'signed-out' }
    default:
      return undefined
  }
}

/**
 * Ends the sessions that began before such a change, and waits until their tokens are rejected and no list has them. A
 * concurrent login with the old password begins later and ends itself (start-session.ts). A repetition changes nothing.
 */
export const createEndEarlierSessions = ({ eventStore, readModels, securityLog }: EndEarlierSessionsDeps) => {
  const openSessions = readModels.of(openSessionsProjection)
  /** Kept in the memory of each process, empty after a restart. */
  const logged = boundedCache<string, true>(10_000)

  /** Returns false, and ends nothing, while the open-sessions projection is behind. */
  return async ({ userId, position, endsSessions }: PasswordChange, metadata: EventMetadata): Promise<boolean> => {
    const change = { partition: bucketKey(userId), messagePosition: position, timeoutMs }
    if (!(await waitForProjection(openSessions, { projection: openSessionsProjection, ...change }))) return false
    const open = await newestSessions(openSessions, userId, readModelLimits.entriesPerRange)
    const earlier = open.filter(({ sessionId, startedAt }) => startedAt < position && sessionId !== endsSessions.except)
    const ended = await Promise.all(
      earlier.map(async (session) => {
        const { sessionId, expiresAt } = session
        const { reason } = endsSessions
        const end = await endSession(eventStore, { ...session, expiresAt: new Date(expiresAt) }, reason, metadata)
        // The request and the auth reactor may both record it.
        if (end?.isRepetition === false && !logged.has(sessionId)) {
          logged.set(sessionId, true)
          securityLog.record({ event: 'session-ended', result: 'ok', code: reason, userId, sessionId })
        }
        return end?.position
      }),
    )
    const last = ended
      .filter((at) => at !== undefined)
      .toSorted()
      .at(-1)
    if (last !== undefined) {
      const awaited = { partition: bucketKey(userId), eventPosition: last }
      await Promise.all(
        [sessionProjection, openSessionsProjection].map((projection) =>
          waitForProjection(readModels.of(projection), { projection, ...awaited }),
        ),
      )
    }
    return true
  }
}
export type EndEarlierSessions = ReturnType<typeof createEndEarlierSessions>
