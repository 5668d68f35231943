import { programNotFound } from '@portal/contracts/catalog/errors'
import { type DeletedProgram, listDeletedPrograms, restoreProgram } from '@portal/contracts/catalog/deleted-programs'
import {
  addFact,
  addTool,
  createProgram,
  getAdminProgram,
  getProgram,
  listAdminPrograms,
  listPrograms,
  removeFact,
  removeProgram,
  removeTool,
  updateProgram,
} from '@portal/contracts/catalog/http'
import type { Fact, Program, ProgramBody, Tool } from '@portal/contracts/catalog/program'
import { type idempotencyHeaders } from '@portal/contracts/shared/idempotency'
import { idempotencyKeyHeader } from '@portal/contracts/shared/route'
import { factIdSchema, programRecordIdSchema, toolIdSchema } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { ok, rejected } from '@portal/platform/decider/decider'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { Session } from '@portal/platform/session/session'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { bindToProgram } from './bind-to-program.ts'
import type { ChangePrograms } from './change-programs.ts'
import { type RemovedProgram, restorableUntil } from './decider.ts'
import type { ProgramContent } from './program-content.ts'
import type { ProgramReader } from './program-reader.ts'

type ProgramRoutesDeps = {
  readonly bind: BindRoute
  readonly clockAndIds: Pick<ClockAndIds, 'newId' | 'now'>
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly programs: ProgramReader
  readonly change: ChangePrograms
}

/** Public reads. */
export const programRoutes = (
  app: FastifyInstance,
  { bind, programs }: Pick<ProgramRoutesDeps, 'bind' | 'programs'>,
): void => {
  const bindProgram = bindToProgram(bind)
  bind(app, listPrograms, async () => ok([...(await programs.all())]))

  bindProgram(app, getProgram, async (_call, id) => {
    const program = await programs.get(id)
    return program ? ok({ success: true, data: program }) : rejected(programNotFound)
  })
}

type KeyedCall = { readonly session: Session; readonly headers: z.output<typeof idempotencyHeaders> }

/**
 * The id of the item that a call adds. With an Idempotency-Key, a retry by the same user yields the same id, so it
 * is recognized.
 */
const additionId = (call: KeyedCall, { newId }: Pick<ClockAndIds, 'newId'>, ...to: readonly string[]): string => {
  const key = call.headers[idempotencyKeyHeader]
  return key === undefined ? newId() : deterministicEventId(...to, call.session.userId, key)
}

/** Gives each tool and fact an id, in case it is new. */
const toContent = (body: ProgramBody, { newId }: Pick<ClockAndIds, 'newId'>): ProgramContent => ({
  ...body,
  toolkit: body.toolkit.map((tool) => ({ ...tool, newId: toolIdSchema.parse(newId()) })),
  facts: body.facts.map((fact) => ({ ...fact, newId: factIdSchema.parse(newId()) })),
})

const toDeletedProgram = ({ program, removedAt, removedBy }: RemovedProgram): DeletedProgram => ({
  _id: program._id,
  programId: program.programId,
  programName: program.programName,
  deletedAt: removedAt,
  deletedBy: removedBy,
  restorableUntil: restorableUntil(removedAt),
})

/** Program routes for admins. */
export const adminProgramRoutes = (
  app: FastifyInstance,
  { bind, clockAndIds, vault, programs, change }: ProgramRoutesDeps,
): void => {
  const bindProgram = bindToProgram(bind)
  bind(app, listAdminPrograms, async () => ok({ success: true, data: [...(await programs.all())] }))

  bindProgram(app, getAdminProgram, async (_call, id) => {
    const program = await programs.get(id)
    return program ? ok({ success: true, data: program }) : rejected(programNotFound)
  })

  bind(app, createProgram, async (call) => {
    const id = programRecordIdSchema.parse(additionId(call, clockAndIds, 'program'))
    const content = toContent(call.body, clockAndIds)
    const isKeyed = call.headers[idempotencyKeyHeader] !== undefined
    const keyed = isKeyed ? { fingerprint: vault.index('request', JSON.stringify(call.body)) } : {}
    const added = await change.save({ type: 'AddProgram', id, content, ...keyed }, metadataOf(call))
    return added.ok ? ok({ success: true, message: 'Program created successfully', data: added.value }) : added
  })

  bindProgram(app, updateProgram, async (call, id) => {
    const { revision: basedOn, ...body } = call.body
    const content = toContent(body, clockAndIds)
    const updated = await change.save({ type: 'UpdateProgram', id, content, basedOn }, metadataOf(call))
    return updated.ok ? ok({ success: true, message: 'Program updated successfully', data: updated.value }) : updated
  })

  bindProgram(app, removeProgram, async (call, id) => {
    const removedAt = clockAndIds.now().toISOString()
    const removedBy = call.session.userId
    const removed = await change.remove({ type: 'RemoveProgram', id, removedAt, removedBy }, metadataOf(call))
    return removed.ok ? ok({ success: true, message: 'Program deleted successfully' }) : removed
  })

  bind(app, listDeletedPrograms, async () => {
    const deleted = await change.restorable(clockAndIds.now().toISOString())
    return ok({ success: true, data: deleted.map(toDeletedProgram) })
  })

  bindProgram(app, restoreProgram, async (call, id) => {
    const restoredAt = clockAndIds.now().toISOString()
    const restored = await change.save({ type: 'RestoreProgram', id, restoredAt }, metadataOf(call))
    return restored.ok
      ? ok({ success: true, message: 'Program restored successfully', data: restored.value })
      : restored
  })
}

const toolkitOf = ({ toolkit, revision }: Program) => ({ toolkit, revision })
const factsOf = ({ facts, revision }: Program) => ({ facts, revision })

/** Routes that add and remove single tools and facts of an existing program. */
export const toolAndFactRoutes = (
  app: FastifyInstance,
  { bind, clockAndIds, change }: Omit<ProgramRoutesDeps, 'vault' | 'programs'>,
): void => {
  const bindProgram = bindToProgram(bind)
  bindProgram(app, addTool, async (call, id) => {
    const tool: Tool = { _id: toolIdSchema.parse(additionId(call, clockAndIds, 'tool', id)), ...call.body }
    const saved = await change.save({ type: 'AddTool', id, tool }, metadataOf(call))
    if (!saved.ok) return saved
    return ok({ success: true, message: 'Tool added successfully', data: toolkitOf(saved.value) })
  })

  bindProgram(app, removeTool, async (call, id) => {
    const saved = await change.save({ type: 'RemoveTool', id, toolId: call.params.toolId }, metadataOf(call))
    if (!saved.ok) return saved
    return ok({ success: true, message: 'Tool removed successfully', data: toolkitOf(saved.value) })
  })

  bindProgram(app, addFact, async (call, id) => {
    const fact: Fact = { _id: factIdSchema.parse(additionId(call, clockAndIds, 'fact', id)), ...call.body }
    const saved = await change.save({ type: 'AddFact', id, fact }, metadataOf(call))
    if (!saved.ok) return saved
    return ok({ success: true, message: 'Fact added successfully', data: factsOf(saved.value) })
  })

  bindProgram(app, removeFact, async (call, id) => {
    const saved = await change.save({ type: 'RemoveFact', id, factId: call.params.factId }, metadataOf(call))
    if (!saved.ok) return saved
    return ok({ success: true, message: 'Fact removed successfully', data: factsOf(saved.value) })
  })
}
