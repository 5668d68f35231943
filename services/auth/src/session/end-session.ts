import type { SessionEndReason } from '@portal/contracts/auth/events'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore, Position } from '@portal/platform/event-store/port'
import type { Session } from '@portal/platform/http/session'
import { sessionDecider } from './decider.ts'

/** Records that a session is over. The answer is where; undefined when it was over before. */
export const endSession = async (
  eventStore: Pick<EventStore, 'read' | 'append'>,
  { sessionId, userId, expiresAt }: Pick<Session, 'sessionId' | 'userId' | 'expiresAt'>,
  reason: SessionEndReason,
  metadata: EventMetadata,
): Promise<Position | undefined> => {
  const command = { type: 'EndSession', sessionId, userId, expiresAt, reason } as const
  const ended = await handleCommand(eventStore, sessionDecider, sessionId, command, {
    eventId: (index) => deterministicEventId('session-ended', sessionId, String(index)),
    metadata,
  })
  return ended.ok ? ended.value.position : undefined
}
