import { addUniversity, listUniversities, removeUniversity, renameUniversity } from '@portal/contracts/catalog/http'
import { universityIdSchema } from '@portal/contracts/shared/ids'
import { ok } from '@portal/platform/decider/decider'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { FastifyInstance } from 'fastify'
import type { ChangeUniversities } from './change-universities.ts'
import { readUniversities } from './projection.ts'

type UniversityRoutesDeps = {
  readonly bind: BindRoute
  readonly readModel: ReadStore
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
  readonly change: ChangeUniversities
}

export const universityRoutes = (
  app: FastifyInstance,
  { bind, readModel, clockAndIds, change }: UniversityRoutesDeps,
): void => {
  bind(app, listUniversities, async () => ok(await readUniversities(readModel)))

  bind(app, addUniversity, async (call) => {
    const universityId = universityIdSchema.parse(clockAndIds.newId())
    const { name } = call.body
    const added = await change({ type: 'AddUniversity', universityId, name }, metadataOf(call))
    if (!added.ok) return added
    return ok({ success: true, message: 'University added successfully', data: { _id: universityId, name } })
  })

  bind(app, renameUniversity, async (call) => {
    const universityId = call.params.id
    const { name } = call.body
    const renamed = await change({ type: 'RenameUniversity', universityId, name }, metadataOf(call))
    if (!renamed.ok) return renamed
    return ok({ success: true, message: 'University updated successfully', data: { _id: universityId, name } })
  })

  bind(app, removeUniversity, async (call) => {
    const removed = await change({ type: 'RemoveUniversity', universityId: call.params.id }, metadataOf(call))
    if (!removed.ok) return removed
    return ok({ success: true, message: 'University deleted successfully' })
  })
}
