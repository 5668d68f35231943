import { tooManyUniversities, universityNameTaken, universityNotFound } from '@portal/contracts/catalog/errors'
import { createKeyedMutex } from '@portal/platform/async/keyed-mutex'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import { universitiesStreamId, type UniversityCommand, universityDecider, type UniversityRejection } from './decider.ts'
import { universitiesPartition, universitiesProjection } from './projection.ts'

const apiErrorOf: Readonly<Record<UniversityRejection, ApiError>> = {
  'name-taken': universityNameTaken,
  'not-found': universityNotFound,
  'too-many': tooManyUniversities,
}

type ChangeUniversitiesDeps = {
  readonly eventStore: EventStore
  readonly readModel: Checkpoints
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
}

/** Records a change and waits until the list shows it. */
export const createChangeUniversities = ({ eventStore, readModel, clockAndIds }: ChangeUniversitiesDeps) => {
  const runExclusive = createKeyedMutex()

  const handle = (command: UniversityCommand, metadata: EventMetadata) => {
    return handleCommand(eventStore, universityDecider, universitiesStreamId, command, {
      eventId: eventIdsOf(clockAndIds.newId()),
      metadata,
    })
  }

  return async (command: UniversityCommand, metadata: EventMetadata): Promise<Result<void, ApiError>> => {
    const handled = await runExclusive(universitiesStreamId, () => handle(command, metadata))
    if (!handled.ok) return rejected(apiErrorOf[handled.error])
    const { position } = handled.value
    if (position !== undefined) {
      await waitForProjection(readModel, {
        projection: universitiesProjection,
        partition: universitiesPartition,
        eventPosition: position,
      })
    }
    return ok(undefined)
  }
}
export type ChangeUniversities = ReturnType<typeof createChangeUniversities>
