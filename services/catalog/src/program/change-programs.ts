import { programNotFound } from '@portal/contracts/catalog/errors'
import type { Program } from '@portal/contracts/catalog/program'
import { createKeyedMutex } from '@portal/platform/async/keyed-mutex'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, loadState, type LoadedState } from '@portal/platform/decider/handle-command'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import { apiErrorOf } from './api-errors.ts'
import {
  type ProgramCommand,
  programDecider,
  type ProgramsState,
  programsStreamId,
  type RemovedProgram,
  restorablePrograms,
} from './decider.ts'
import { programsPartition, programsProjection } from './projection.ts'

type ChangeProgramsDeps = {
  readonly eventStore: EventStore
  readonly readModel: Checkpoints
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
}

type RemoveCommand = Extract<ProgramCommand, { readonly type: 'RemoveProgram' }>
type SaveCommand = Exclude<ProgramCommand, RemoveCommand | { readonly type: 'SeedPrograms' }>

/** Records changes and waits until the catalog shows them. Reads what can be restored, which no projection has. */
export const createChangePrograms = ({ eventStore, readModel, clockAndIds }: ChangeProgramsDeps) => {
  const runExclusive = createKeyedMutex()
  /** State after the last change, so that the next one reads only newer events. */
  let known: LoadedState<ProgramsState> | undefined

  const handle = async (command: ProgramCommand, metadata: EventMetadata) => {
    const handled = await handleCommand(eventStore, programDecider, programsStreamId, command, {
      eventId: eventIdsOf(clockAndIds.newId()),
      metadata,
      known,
    })
    if (handled.ok) known = { state: handled.value.state, revision: handled.value.revision }
    return handled
  }

  const change = async (command: ProgramCommand, metadata: EventMetadata): Promise<Result<ProgramsState, ApiError>> => {
    const handled = await runExclusive(programsStreamId, () => handle(command, metadata))
    if (!handled.ok) return rejected(apiErrorOf[handled.error])
    const { position, state } = handled.value
    if (position !== undefined) {
      const awaited = { projection: programsProjection, partition: programsPartition, eventPosition: position }
      await waitForProjection(readModel, awaited)
    }
    return ok(state)
  }

  return {
    /** Returns the program after the change. */
    save: async (command: SaveCommand, metadata: EventMetadata): Promise<Result<Program, ApiError>> => {
      const changed = await change(command, metadata)
      if (!changed.ok) return changed
      const program = changed.value.programs.get(command.id)
      return program === undefined ? rejected(programNotFound) : ok(program)
    },
    remove: async (command: RemoveCommand, metadata: EventMetadata): Promise<Result<void, ApiError>> => {
      const changed = await change(command, metadata)
      return changed.ok ? ok(undefined) : changed
    },
    /** The programs that can be restored at that time, the latest deletion first. */
    restorable: (at: string): Promise<readonly RemovedProgram[]> =>
      runExclusive(programsStreamId, async () => {
        known = await loadState(eventStore, programDecider, programsStreamId, undefined, known)
        return restorablePrograms(known.state, at)
      }),
  }
}
export type ChangePrograms = ReturnType<typeof createChangePrograms>
