import type { UniversityId } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import { type Decider, ok, rejected } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { nameKey } from '@portal/contracts/shared/name-key'
import { type UniversityEvent, universityEventSchema } from './events.ts'

export type UniversityCommand =
  | { readonly type: 'AddUniversity'; readonly universityId: UniversityId; readonly name: string }
  | { readonly type: 'RenameUniversity'; readonly universityId: UniversityId; readonly name: string }
  | { readonly type: 'RemoveUniversity'; readonly universityId: UniversityId }
  /** Seeds a new portal. */
  | {
      readonly type: 'SeedUniversities'
      readonly universities: readonly { readonly universityId: UniversityId; readonly name: string }[]
    }

/** Far above real use; it keeps the list and the state small. */
export const maxUniversities = limits.universities

export type UniversitiesState = {
  readonly names: ReadonlyMap<UniversityId, string>
  /**
   * Whether the stream has any event. Seed universities are added only to an empty stream, even if all were
   * removed.
   */
  readonly hasBegun: boolean
}

export type UniversityRejection = 'name-taken' | 'not-found' | 'too-many'

/**
 * All universities share one stream. Unique names are a rule over all of them, so they form one consistency
 * boundary. With a stream per university, names would have to be reserved in another stream, and a crash in between
 * would leave orphaned reservations. Admins change a few per year, so the stream stays short and has little
 * contention.
 */
export const universitiesStreamId = 'directory'

export const universityDecider: Decider<UniversitiesState, UniversityCommand, UniversityEvent, UniversityRejection> = {
  category: 'university',
  initial: { names: new Map(), hasBegun: false },

  decide(command, state) {
    switch (command.type) {
      case 'AddUniversity': {
        const { universityId, name } = command
        if (state.names.size >= maxUniversities) return rejected('too-many')
        if (isTaken(state, name)) return rejected('name-taken')
        return ok([{ type: 'UniversityAdded', data: { universityId, name } }])
      }
      case 'RenameUniversity': {
        const { universityId, name } = command
        const current = state.names.get(universityId)
        if (current === undefined) return rejected('not-found')
        if (current === name) return ok([])
        if (isTaken(state, name, universityId)) return rejected('name-taken')
        return ok([{ type: 'UniversityRenamed', data: { universityId, name } }])
      }
      case 'RemoveUniversity': {
        const { universityId } = command
        if (!state.names.has(universityId)) return rejected('not-found')
        return ok([{ type: 'UniversityRemoved', data: { universityId } }])
      }
      case 'SeedUniversities':
        return ok(state.hasBegun ? [] : command.universities.map((data) => ({ type: 'UniversityAdded', data })))
    }
  },

  evolve(state, event) {
    const names = new Map(state.names)
    switch (event.type) {
      case 'UniversityAdded':
      case 'UniversityRenamed':
        names.set(event.data.universityId, event.data.name)
        break
      case 'UniversityRemoved':
        names.delete(event.data.universityId)
    }
    return { names, hasBegun: true }
  },

  parse: storedEventReader(universityEventSchema),
}

const isTaken = (state: UniversitiesState, name: string, exceptFor?: UniversityId): boolean => {
  const wanted = nameKey(name)
  return [...state.names].some(([id, taken]) => id !== exceptFor && nameKey(taken) === wanted)
}
