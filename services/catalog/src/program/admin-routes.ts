import {
  createProgram,
  getAdminProgram,
  listAdminPrograms,
  removeProgram,
  updateProgram,
} from '@portal/contracts/catalog/http'
import type { ProgramBody } from '@portal/contracts/catalog/program'
import { factIdSchema, programIdSchema, toolIdSchema } from '@portal/contracts/shared/ids'
import { idempotencyKeyHeader } from '@portal/contracts/shared/idempotency'
import { ok, rejected } from '@portal/platform/decider/decider'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { FastifyInstance } from 'fastify'
import { additionId } from '../addition-id.ts'
import { bindToProgram } from './bind-to-program.ts'
import type { ChangePrograms } from './change-programs.ts'
import type { ProgramContent } from './commands.ts'
import type { ProgramReader } from './program-reader.ts'
import { programNotFound } from './api-errors.ts'

type Deps = {
  readonly bind: BindRoute
  readonly clockAndIds: Pick<ClockAndIds, 'newId' | 'now'>
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly programs: ProgramReader
  readonly change: ChangePrograms
}

/** With an id for each tool and fact that turns out to be new. */
const toContent = (body: ProgramBody, { newId }: Pick<ClockAndIds, 'newId'>): ProgramContent => ({
  ...body,
  toolkit: body.toolkit.map((tool) => ({ ...tool, newId: toolIdSchema.parse(newId()) })),
  facts: body.facts.map((fact) => ({ ...fact, newId: factIdSchema.parse(newId()) })),
})

export const adminProgramRoutes = (
  app: FastifyInstance,
  { bind, clockAndIds, vault, programs, change }: Deps,
): void => {
  const bindProgram = bindToProgram(bind)
  bind(app, listAdminPrograms, async () => ok({ success: true, data: [...(await programs.all())] }))

  bindProgram(app, getAdminProgram, async (_call, id) => {
    const program = await programs.get(id)
    return program ? ok({ success: true, data: program }) : rejected(programNotFound)
  })

  bind(app, createProgram, async (call) => {
    const id = programIdSchema.parse(additionId(call, clockAndIds, 'program'))
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
    const removed = await change.remove({ type: 'RemoveProgram', id, removedAt }, metadataOf(call))
    return removed.ok ? ok({ success: true, message: 'Program deleted successfully' }) : removed
  })
}
