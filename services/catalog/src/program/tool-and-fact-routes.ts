import { addFact, addTool, removeFact, removeTool } from '@portal/contracts/catalog/http'
import type { Fact, Program, Tool } from '@portal/contracts/catalog/program'
import { factIdSchema, toolIdSchema } from '@portal/contracts/shared/ids'
import { ok } from '@portal/platform/decider/decider'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { FastifyInstance } from 'fastify'
import { additionId } from '../addition-id.ts'
import { bindToProgram } from './bind-to-program.ts'
import type { ChangePrograms } from './change-programs.ts'

type Deps = {
  readonly bind: BindRoute
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
  readonly change: ChangePrograms
}

const toolkitOf = ({ toolkit, revision }: Program) => ({ toolkit, revision })
const factsOf = ({ facts, revision }: Program) => ({ facts, revision })

/** Tools and facts one by one, as the form of a programme that exists changes them. */
export const toolAndFactRoutes = (app: FastifyInstance, { bind, clockAndIds, change }: Deps): void => {
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
