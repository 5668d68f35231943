import {
  templateChanged,
  templateNameTaken,
  templateNotFound,
  tooManyTemplates,
} from '@portal/contracts/notifications/templates'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import {
  type TemplateCommand,
  templateDecider,
  type TemplateRejection,
  templatesPartition,
  templatesStreamId,
} from './decider.ts'
import { templateProjection } from './projection.ts'

const apiErrorOf: Readonly<Record<TemplateRejection, ApiError>> = {
  'name-taken': templateNameTaken,
  'not-found': templateNotFound,
  changed: templateChanged,
  'too-many': tooManyTemplates,
}

type ChangeTemplatesDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly readModel: Pick<Checkpoints, 'whenApplied'>
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
}

/** Records a change and waits until the list shows it. Returns the version of the template, 0 once it is deleted. */
export const createChangeTemplates =
  ({ eventStore, readModel, clockAndIds }: ChangeTemplatesDeps) =>
  async (command: TemplateCommand, metadata: EventMetadata): Promise<Result<number, ApiError>> => {
    const handled = await handleCommand(eventStore, templateDecider, templatesStreamId, command, {
      eventId: eventIdsOf(clockAndIds.newId()),
      metadata,
    })
    if (!handled.ok) return rejected(apiErrorOf[handled.error])
    const { position: eventPosition, state } = handled.value
    if (eventPosition !== undefined)
      await waitForProjection(readModel, {
        projection: templateProjection,
        partition: templatesPartition,
        eventPosition,
      })
    return ok(state.get(command.templateId)?.version ?? 0)
  }
export type ChangeTemplates = ReturnType<typeof createChangeTemplates>
