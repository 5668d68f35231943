import type { Program } from '@portal/contracts/catalog/program'
import { createKeyedMutex } from '@portal/platform/async/keyed-mutex'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, type Loaded } from '@portal/platform/decider/handle-command'
import { ok, rejected, type Result } from '@portal/platform/decider/result'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { Refusal } from '@portal/platform/http/handler'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import type { Sources } from '@portal/platform/runtime/sources'
import type { ProgramCommand } from './commands.ts'
import { programDecider, type ProgramsState, programsStreamId } from './decider.ts'
import { programsPartition, programsProjection } from './projection.ts'
import { programNotFound, refusalOf } from './refusals.ts'

type Deps = {
  readonly eventStore: EventStore
  readonly readModel: Checkpoints
  readonly sources: Pick<Sources, 'newId'>
}

type RemoveCommand = Extract<ProgramCommand, { readonly type: 'RemoveProgram' }>
type SaveCommand = Exclude<ProgramCommand, RemoveCommand | { readonly type: 'AddFirstPrograms' }>

/** Records changes, and waits until the catalogue shows them. */
export const createChangePrograms = ({ eventStore, readModel, sources }: Deps) => {
  const runExclusive = createKeyedMutex()
  /** What the last change came to: the next one reads only what others have recorded since. */
  let known: Loaded<ProgramsState> | undefined

  const handle = async (command: ProgramCommand, metadata: EventMetadata) => {
    const handled = await handleCommand(eventStore, programDecider, programsStreamId, command, {
      eventId: eventIdsOf(sources.newId()),
      metadata,
      known,
    })
    if (handled.ok) known = { state: handled.value.state, revision: handled.value.revision }
    return handled
  }

  const change = async (command: ProgramCommand, metadata: EventMetadata): Promise<Result<ProgramsState, Refusal>> => {
    const handled = await runExclusive(programsStreamId, () => handle(command, metadata))
    if (!handled.ok) return rejected(refusalOf[handled.error])
    const { position, state } = handled.value
    if (position !== undefined) {
      const awaited = { projection: programsProjection, partition: programsPartition, eventPosition: position }
      await waitForProjection(readModel, awaited)
    }
    return ok(state)
  }

  return {
    /** The programme as it is afterwards. */
    save: async (command: SaveCommand, metadata: EventMetadata): Promise<Result<Program, Refusal>> => {
      const changed = await change(command, metadata)
      if (!changed.ok) return changed
      const program = changed.value.programs.get(command.id)
      return program === undefined ? rejected(programNotFound) : ok(program)
    },
    remove: async (command: RemoveCommand, metadata: EventMetadata): Promise<Result<void, Refusal>> => {
      const changed = await change(command, metadata)
      return changed.ok ? ok(undefined) : changed
    },
  }
}
export type ChangePrograms = ReturnType<typeof createChangePrograms>
