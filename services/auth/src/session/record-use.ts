import type { SessionId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { Session } from '@portal/platform/session/session'
import type { SessionUse } from '@portal/platform/session/session-uses'
import type { Logger } from 'pino'
import { sessionDecider } from './decider.ts'
import { endSession } from './end-session.ts'

type RecordUseDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
  readonly securityLog: Pick<SecurityLog, 'record'>
  readonly logger: Pick<Logger, 'warn'>
}

const maxInFlight = 100

/** Records uses of sessions, and ends the idle ones. Requests do not wait for it: the next use reports again what is lost. */
export const createRecordUse = ({ eventStore, clockAndIds, securityLog, logger }: RecordUseDeps) => {
  const inFlight = new Map<SessionId, Promise<void>>()

  /** Several processes may report the same use: there is one a minute at most. */
  const recordUsed = async ({ sessionId, userId }: Session): Promise<void> => {
    const usedAt = clockAndIds.now()
    const minute = String(Math.floor(usedAt.getTime() / 60_000))
    const eventId = eventIdsOf('session-used', sessionId, minute)
    const command = { type: 'UseSession', sessionId, userId, usedAt } as const
    await handleCommand(eventStore, sessionDecider, sessionId, command, { eventId, metadata: { actorId: userId } })
  }

  const end = async (session: Session): Promise<void> => {
    const { sessionId, userId } = session
    if ((await endSession(eventStore, session, 'idle', {}))?.isRepetition === false)
      securityLog.record({ event: 'session-ended', result: 'ok', code: 'idle', userId, sessionId })
  }

  return {
    record: ({ session, kind }: SessionUse): void => {
      const { sessionId } = session
      if (inFlight.has(sessionId) || inFlight.size >= maxInFlight) return
      const recording = (kind === 'idle' ? end(session) : recordUsed(session))
        .catch((err: unknown) => logger.warn({ err }, 'use of a session could not be recorded'))
        .finally(() => inFlight.delete(sessionId))
      inFlight.set(sessionId, recording)
    },
    /** Resolves when nothing is in flight. */
    stop: async (): Promise<void> => void (await Promise.all(inFlight.values())),
  }
}
