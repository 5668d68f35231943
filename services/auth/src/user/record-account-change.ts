import type { UserId } from '@portal/contracts/shared/ids'
import { messagePosition } from '@portal/platform/bus/relay'
import { ok, type Result } from '@portal/platform/decider/decider'
import { handleCommand } from '@portal/platform/decider/handle-command'
import { isTransient } from '@portal/platform/errors/error-kinds'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ReadModels } from '@portal/platform/generations/read-models'
import { publicEventsOf } from '../publish.ts'
import { type EndEarlierSessions, sessionsEndedBy } from '../session/end-earlier-sessions.ts'
import { type UserCommand, userDecider, type UserRejection } from './decider.ts'
import { waitForUserEvent } from './wait-for-user-event.ts'

type RecordAccountChangeDeps = {
  readonly eventStore: EventStore
  readonly readModels: Pick<ReadModels, 'of'>
  readonly endEarlierSessions: EndEarlierSessions
}

type RecordOptions = { eventId(index: number): string; readonly metadata: EventMetadata }

/**
 * Records a command that gives one event, and waits until readers see it and the sessions that it ends are rejected. The append
 * decides; the auth reactor completes the rest after a failure.
 */
export const createRecordAccountChange =
  ({ eventStore, readModels, endEarlierSessions }: RecordAccountChangeDeps) =>
  async (userId: UserId, command: UserCommand, options: RecordOptions): Promise<Result<void, UserRejection>> => {
    const handled = await handleCommand(eventStore, userDecider, userId, command, options)
    if (!handled.ok) return handled
    const { events, position } = handled.value
    const [changed] = events
    if (!changed || position === undefined) return ok(undefined)
    await waitForUserEvent(readModels, changed, position)
    const [published] = publicEventsOf(changed)
    const endsSessions = published && sessionsEndedBy(published)
    if (!endsSessions) return ok(undefined)
    try {
      await endEarlierSessions({ userId, endsSessions, position: messagePosition(position) }, options.metadata)
    } catch (error) {
      if (!isTransient(error)) throw error
    }
    return ok(undefined)
  }
export type RecordAccountChange = ReturnType<typeof createRecordAccountChange>
