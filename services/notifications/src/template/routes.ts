import type { TemplateText } from '@portal/contracts/notifications/events'
import {
  changeTemplate,
  createTemplate,
  deleteTemplate,
  listTemplates,
  recordTemplateUse,
  type Template,
} from '@portal/contracts/notifications/templates'
import { templateIdSchema, type UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok } from '@portal/platform/decider/decider'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { FastifyInstance } from 'fastify'
import type { PeopleIndex } from '../audience/people-index.ts'
import type { ChangeTemplates } from './change-templates.ts'
import { readTemplates } from './projection.ts'

type TemplateRoutesDeps = {
  readonly bind: BindRoute
  readonly readModel: Pick<ReadStore, 'range'>
  readonly people: Pick<PeopleIndex, 'snapshot'>
  readonly change: ChangeTemplates
  readonly clockAndIds: Pick<ClockAndIds, 'newId' | 'now'>
}

type Fields = Omit<TemplateText, 'isUrgent'> & { readonly isUrgent?: boolean | undefined; readonly name: string }

const textOf = ({ title, message, type, button, image, isUrgent, translation }: Fields): TemplateText => ({
  title,
  message,
  type,
  ...(button && { button }),
  ...(image && { image }),
  ...(isUrgent && { isUrgent }),
  ...(translation && { translation }),
})

/** Texts that all admins share. */
export const templateRoutes = (app: FastifyInstance, deps: TemplateRoutesDeps): void => {
  const { bind, readModel, people, change, clockAndIds } = deps

  const templates = async (): Promise<Template[]> => {
    const [stored, { person }] = await Promise.all([readTemplates(readModel), people.snapshot()])
    const nameOf = (userId: UserId): string => person(userId)?.fullName ?? ''
    return stored.map(({ templateId: _id, name, text, version, lastUse }) => ({
      _id,
      name,
      ...text,
      version,
      ...(lastUse && { lastUse: { at: lastUse.at, by: { _id: lastUse.by, fullName: nameOf(lastUse.by) } } }),
    }))
  }

  bind(app, listTemplates, async () => ok({ success: true, templates: await templates() }))

  bind(app, createTemplate, async (call) => {
    const templateId = templateIdSchema.parse(clockAndIds.newId())
    const { name } = call.body
    const text = textOf(call.body)
    const created = await change({ type: 'CreateTemplate', templateId, name, text }, metadataOf(call))
    if (!created.ok) return created
    const template = { _id: templateId, name, ...text, version: created.value }
    return ok({ success: true, message: 'Template saved', template })
  })

  bind(app, changeTemplate, async (call) => {
    const templateId = call.params.id
    const { name, version } = call.body
    const text = textOf(call.body)
    const changed = await change({ type: 'ChangeTemplate', templateId, name, text, version }, metadataOf(call))
    if (!changed.ok) return changed
    const template = { _id: templateId, name, ...text, version: changed.value }
    return ok({ success: true, message: 'Template saved', template })
  })

  bind(app, deleteTemplate, async (call) => {
    const deleted = await change({ type: 'DeleteTemplate', templateId: call.params.id }, metadataOf(call))
    return deleted.ok ? ok({ success: true, message: 'Template deleted' }) : deleted
  })

  bind(app, recordTemplateUse, async (call) => {
    const { userId: usedBy } = call.session
    const usedAt = clockAndIds.now().toISOString()
    const used = await change({ type: 'UseTemplate', templateId: call.params.id, usedBy, usedAt }, metadataOf(call))
    return used.ok ? ok({ success: true, message: 'Use recorded' }) : used
  })
}
