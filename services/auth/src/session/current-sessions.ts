import { maxSessions, type OpenSession } from '@portal/contracts/auth/sessions'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { ReadModels } from '@portal/platform/generations/read-models'
import { deviceNameOf } from '@portal/platform/http/device-name'
import type { Session } from '@portal/platform/session/session'
import { type IdleLimits, idleLimitOf } from '@portal/platform/session/session-idle'
import { type ListedSession, newestSessions, openSessionsProjection } from './projection.ts'

type CurrentSessionsDeps = {
  readonly readModels: Pick<ReadModels, 'of'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
  readonly sessionIdle?: IdleLimits
}

const lastUseOf = ({ usedAt, device }: ListedSession): string | undefined => usedAt ?? device?.firstUsedAt

export const presentSession = (session: ListedSession): Omit<OpenSession, 'isThis'> => ({
  id: session.sessionId,
  device: session.device?.name ?? deviceNameOf(undefined),
  startedAt: session.device?.firstUsedAt,
  usedAt: lastUseOf(session),
})

/**
 * The sessions of a user, newest first. The projection still has some that are refused: expired ones for some time, and idle ones until
 * they are used.
 */
export const createCurrentSessions = ({ readModels, clockAndIds, sessionIdle = {} }: CurrentSessionsDeps) => {
  const openSessions = readModels.of(openSessionsProjection)
  return async ({ userId, role }: Pick<Session, 'userId' | 'role'>): Promise<readonly ListedSession[]> => {
    const nowMs = clockAndIds.now().getTime()
    const limitMs = idleLimitOf(sessionIdle, role) ?? Number.POSITIVE_INFINITY
    const listed = await newestSessions(openSessions, userId, maxSessions)
    return listed.filter((session) => {
      const usedAt = lastUseOf(session)
      const isIdle = usedAt !== undefined && nowMs - Date.parse(usedAt) >= limitMs
      return Date.parse(session.expiresAt) > nowMs && !isIdle
    })
  }
}
export type CurrentSessions = ReturnType<typeof createCurrentSessions>
