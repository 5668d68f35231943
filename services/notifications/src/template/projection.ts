import { templateProjectionRef, templateTextSchema } from '@portal/contracts/notifications/events'
import { templateIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import type { Projection } from '@portal/platform/projection/projection'
import type { ReadStore } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { notificationsEventOf } from '../bus-messages.ts'
import { templatesPartition } from './decider.ts'

/** Members are template ids, scores are in the order of creation, values are StoredTemplate. */
const templateList = 'templates'

const storedSchema = z.object({
  name: z.string(),
  text: templateTextSchema,
  version: z.number().int(),
  lastUse: z.object({ by: userIdSchema, at: z.string() }).optional(),
})
export type StoredTemplate = z.infer<typeof storedSchema>

export const templateProjection: Projection = {
  ...templateProjectionRef,
  topics: ['notifications'],
  partitionOf: ({ key }) => (key === templatesPartition ? key : undefined),

  apply: async (envelope, view) => {
    const event = notificationsEventOf(envelope)
    if (!('templateId' in event.data)) return []
    const member = event.data.templateId
    const put = (score: number, value: StoredTemplate) =>
      [{ op: 'add', list: templateList, member, score, value }] as const
    const entry = await view.entry(templatesPartition, templateList, member)
    const known = entry && storedSchema.parse(entry.value)
    switch (event.type) {
      case 'TemplateCreated': {
        const [last] = await view.range(templatesPartition, templateList, { order: 'descending', limit: 1 })
        const { name, text } = event.data
        return put((last?.score ?? 0) + 1, { name, text, version: 1 })
      }
      case 'TemplateChanged': {
        const { name, text } = event.data
        return entry && known ? put(entry.score, { ...known, name, text, version: known.version + 1 }) : []
      }
      case 'TemplateUsed': {
        const lastUse = { by: event.data.usedBy, at: event.data.usedAt }
        return entry && known ? put(entry.score, { ...known, lastUse }) : []
      }
      case 'TemplateDeleted':
        return [{ op: 'remove', list: templateList, member }]
      default:
        return []
    }
  },
}

const byName = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** All templates, by name. */
export const readTemplates = async (readModel: Pick<ReadStore, 'range'>) => {
  const range = { order: 'ascending', limit: limits.templates } as const
  const entries = await readModel.range(templatesPartition, templateList, range)
  return entries
    .map(({ member, value }) => ({ templateId: templateIdSchema.parse(member), ...storedSchema.parse(value) }))
    .toSorted((a, b) => byName.compare(a.name, b.name))
}
