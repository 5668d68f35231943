import { programRestoreMs } from '@portal/contracts/catalog/deleted-programs'
import { isDeepStrictEqual } from 'node:util'
import { type Fact, type Program, revisionOf, type Tool } from '@portal/contracts/catalog/program'
import type { ProgramRecordId, UserId } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import { type Decider, ok, rejected, type Result } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { type ProgramEvent, programEventSchema } from './events.ts'
import { makeProgramCode, sameCode } from './program-code.ts'
import { type ProgramContent, toProgram } from './program-content.ts'

export type ProgramCommand =
  | {
      readonly type: 'AddProgram'
      readonly id: ProgramRecordId
      readonly content: ProgramContent
      /** Fingerprint of the request, if it had an Idempotency-Key. */
      readonly fingerprint?: string
    }
  | {
      readonly type: 'UpdateProgram'
      readonly id: ProgramRecordId
      readonly content: ProgramContent
      /** The revision that the sender has seen; undefined to overwrite. */
      readonly basedOn?: number | undefined
    }
  | {
      readonly type: 'RemoveProgram'
      readonly id: ProgramRecordId
      readonly removedAt: string
      readonly removedBy: UserId
    }
  | { readonly type: 'RestoreProgram'; readonly id: ProgramRecordId; readonly restoredAt: string }
  | { readonly type: 'AddTool'; readonly id: ProgramRecordId; readonly tool: Tool }
  | { readonly type: 'RemoveTool'; readonly id: ProgramRecordId; readonly toolId: string }
  | { readonly type: 'AddFact'; readonly id: ProgramRecordId; readonly fact: Fact }
  | { readonly type: 'RemoveFact'; readonly id: ProgramRecordId; readonly factId: string }
  /** Adds those that were never in the catalog. */
  | { readonly type: 'SeedPrograms'; readonly programs: readonly Program[] }

/** An event contains the whole program and must fit into one append and one message (1 MiB each). */
export const maxProgramBytes = 768 * 1024

export type RemovedProgram = {
  readonly program: Program
  readonly removedAt: string
  /** Undefined if the deletion is older than the record of it. */
  readonly removedBy: UserId | undefined
}

export type ProgramsState = {
  /** All programs, in the order of creation. A restored one is last. */
  readonly programs: ReadonlyMap<ProgramRecordId, Program>
  /** Seed programs are not added again after deletion. */
  readonly removed: ReadonlySet<ProgramRecordId>
  /** The programs deleted within a day of the last deletion, at most `limits.programs`, in the order of deletion. */
  readonly restorable: ReadonlyMap<ProgramRecordId, RemovedProgram>
  /** Fingerprints of the requests that added programs, if they had an Idempotency-Key. */
  readonly fingerprints: ReadonlyMap<ProgramRecordId, string>
}

export type ProgramRejection =
  | 'not-found'
  | 'added-with-other-content'
  | 'key-used'
  | 'changed-since'
  | 'code-taken'
  | 'code-taken-meanwhile'
  | 'restore-expired'
  | 'too-many'
  | 'too-large'
  | 'tool-not-found'
  | 'too-many-tools'
  | 'fact-not-found'
  | 'too-many-facts'

type Decision = Result<readonly ProgramEvent[], ProgramRejection>

/**
 * All programs share one stream. Unique codes and the maximum number are rules over all programs, so they form one
 * consistency boundary. With a stream per program, codes would have to be reserved in another stream, and a crash
 * in between would leave orphaned reservations. The cost: a change reads all earlier changes. Admins make a few per
 * week, and the caller can cache the state (change-programs.ts).
 */
export const programsStreamId = 'catalogue'

export const programDecider: Decider<ProgramsState, ProgramCommand, ProgramEvent, ProgramRejection> = {
  category: 'program',
  initial: { programs: new Map(), removed: new Set(), restorable: new Map(), fingerprints: new Map() },

  decide(command, state) {
    switch (command.type) {
      case 'AddProgram':
        return decideAdd(state, command)
      case 'SeedPrograms':
        return decideSeed(state, command.programs)
      case 'RestoreProgram':
        return decideRestore(state, command)
    }
    const program = state.programs.get(command.id)
    if (program === undefined) return rejected('not-found')
    switch (command.type) {
      case 'UpdateProgram':
        return decideUpdate(state, program, command)
      case 'RemoveProgram':
        return decideRemove(command)
      case 'AddTool':
        return decideAddTool(program, command.tool)
      case 'RemoveTool':
        return decideRemoveTool(program, command.toolId)
      case 'AddFact':
        return decideAddFact(program, command.fact)
      case 'RemoveFact':
        return decideRemoveFact(program, command.factId)
    }
  },

  evolve(state, event) {
    if (event.type === 'ProgramRemoved') return evolveRemoved(state, event.data)
    const { program } = event.data
    const programs = new Map(state.programs).set(program._id, program)
    if (event.type === 'ProgramRestored') {
      const restorable = new Map(state.restorable)
      restorable.delete(program._id)
      return { ...state, programs, restorable }
    }
    // Stryker disable next-line ConditionalExpression: no other event has a fingerprint; the condition is for the types
    if (event.type !== 'ProgramAdded') return { ...state, programs }
    const { fingerprint } = event.data
    if (fingerprint === undefined) return { ...state, programs }
    return { ...state, programs, fingerprints: new Map(state.fingerprints).set(program._id, fingerprint) }
  },

  parse: storedEventReader(programEventSchema),
}

type Removal = Extract<ProgramEvent, { readonly type: 'ProgramRemoved' }>['data']

const evolveRemoved = (state: ProgramsState, { programId, removedAt, removedBy }: Removal): ProgramsState => {
  const programs = new Map(state.programs)
  const program = programs.get(programId)
  programs.delete(programId)
  const removed = new Set(state.removed).add(programId)
  // Stryker disable next-line ConditionalExpression,ObjectLiteral: only a current program is removed; this is for the types
  if (program === undefined) return { ...state, programs, removed }
  const earlier = [...state.restorable].filter(([, other]) => isRestorable(other, removedAt))
  const restorable = [...earlier, [programId, { program, removedAt, removedBy }] as const].slice(-limits.programs)
  return { ...state, programs, removed, restorable: new Map(restorable) }
}

/** The last moment at which a program that was removed then can be restored. */
export const restorableUntil = (removedAt: string): string =>
  new Date(Date.parse(removedAt) + programRestoreMs).toISOString()

const isRestorable = ({ removedAt }: RemovedProgram, at: string): boolean =>
  Date.parse(at) <= Date.parse(restorableUntil(removedAt))

/** The programs that can be restored at that time, the latest deletion first. */
export const restorablePrograms = ({ restorable }: ProgramsState, at: string): readonly RemovedProgram[] =>
  [...restorable.values()].filter((removed) => isRestorable(removed, at)).toReversed()

type AddProgram = Extract<ProgramCommand, { readonly type: 'AddProgram' }>

const decideAdd = (state: ProgramsState, { id, content, fingerprint }: AddProgram): Decision => {
  const earlier = state.fingerprints.get(id)
  if (earlier !== undefined) return earlier === fingerprint ? ok([]) : rejected('added-with-other-content')
  if (state.programs.size >= limits.programs) return rejected('too-many')
  const isTaken = (code: string) => isCodeTaken(state, code)
  // No program has an empty code.
  if (isTaken(content.programId)) return rejected('code-taken')
  const code = content.programId || makeProgramCode(content.programName, isTaken)
  const program = next(toProgram(id, code, content))
  return recorded({ type: 'ProgramAdded', data: { program, ...(fingerprint === undefined ? {} : { fingerprint }) } })
}

type UpdateProgram = Extract<ProgramCommand, { readonly type: 'UpdateProgram' }>

/** Without a code, the program keeps its current one. Identical content succeeds without an event. */
const decideUpdate = (state: ProgramsState, before: Program, { content, basedOn }: UpdateProgram): Decision => {
  const code = content.programId || before.programId
  if (isCodeTaken(state, code, before._id)) return rejected('code-taken')
  const program = toProgram(before._id, code, content, before)
  const { revision, ...known } = before
  if (isDeepStrictEqual(program, known)) return ok([])
  if (basedOn !== undefined && basedOn !== revisionOf(before)) return rejected('changed-since')
  return recorded({ type: 'ProgramUpdated', data: { program: next({ ...program, revision }) } })
}

type RemoveProgram = Extract<ProgramCommand, { readonly type: 'RemoveProgram' }>

const decideRemove = ({ id, removedAt, removedBy }: RemoveProgram): Decision =>
  ok([{ type: 'ProgramRemoved', data: { programId: id, removedAt, removedBy } }])

type RestoreProgram = Extract<ProgramCommand, { readonly type: 'RestoreProgram' }>

/** Restoring a program that is there succeeds without an event. Its revision stays, because its content is the same. */
const decideRestore = (state: ProgramsState, { id, restoredAt }: RestoreProgram): Decision => {
  if (state.programs.has(id)) return ok([])
  if (!state.removed.has(id)) return rejected('not-found')
  const removed = state.restorable.get(id)
  if (removed === undefined || !isRestorable(removed, restoredAt)) return rejected('restore-expired')
  if (state.programs.size >= limits.programs) return rejected('too-many')
  if (isCodeTaken(state, removed.program.programId)) return rejected('code-taken-meanwhile')
  return ok([{ type: 'ProgramRestored', data: { program: removed.program } }])
}

const decideSeed = (state: ProgramsState, wanted: readonly Program[]): Decision => {
  const missing = wanted.filter(
    ({ _id, programId }) => !state.programs.has(_id) && !state.removed.has(_id) && !isCodeTaken(state, programId),
  )
  const room = Math.max(0, limits.programs - state.programs.size)
  return ok(missing.slice(0, room).map((program) => ({ type: 'ProgramAdded', data: { program: next(program) } })))
}

const decideAddTool = (program: Program, tool: Tool): Decision => {
  const earlier = program.toolkit.find(({ _id }) => _id === tool._id)
  if (earlier !== undefined) return isDeepStrictEqual(earlier, tool) ? ok([]) : rejected('key-used')
  if (program.toolkit.length >= limits.toolsPerProgram) return rejected('too-many-tools')
  const saved = next({ ...program, toolkit: [...program.toolkit, tool] })
  return recorded({ type: 'ToolAdded', data: { toolId: tool._id, program: saved } })
}

const decideRemoveTool = (program: Program, toolId: string): Decision => {
  const tool = program.toolkit.find(({ _id }) => _id === toolId)
  if (tool === undefined) return rejected('tool-not-found')
  const saved = next({ ...program, toolkit: program.toolkit.filter((other) => other !== tool) })
  return recorded({ type: 'ToolRemoved', data: { toolId: tool._id, program: saved } })
}

const decideAddFact = (program: Program, fact: Fact): Decision => {
  const earlier = program.facts.find(({ _id }) => _id === fact._id)
  if (earlier !== undefined) return isDeepStrictEqual(earlier, fact) ? ok([]) : rejected('key-used')
  if (program.facts.length >= limits.factsPerProgram) return rejected('too-many-facts')
  const saved = next({ ...program, facts: [...program.facts, fact] })
  return recorded({ type: 'FactAdded', data: { factId: fact._id, program: saved } })
}

const decideRemoveFact = (program: Program, factId: string): Decision => {
  const fact = program.facts.find(({ _id }) => _id === factId)
  if (fact === undefined) return rejected('fact-not-found')
  const saved = next({ ...program, facts: program.facts.filter((other) => other !== fact) })
  return recorded({ type: 'FactRemoved', data: { factId: fact._id, program: saved } })
}

const next = (program: Program): Program => ({ ...program, revision: revisionOf(program) + 1 })

const recorded = (event: Exclude<ProgramEvent, { readonly type: 'ProgramRemoved' }>): Decision =>
  Buffer.byteLength(JSON.stringify(event.data.program)) > maxProgramBytes ? rejected('too-large') : ok([event])

const isCodeTaken = (state: ProgramsState, code: string, exceptFor?: ProgramRecordId): boolean =>
  [...state.programs.values()].some(({ _id, programId }) => _id !== exceptFor && sameCode(programId, code))
