import { z } from 'zod'
import { templateIdSchema, userIdSchema } from '../shared/ids.ts'
import { defineRoute, doneSchema, routeError } from '../shared/route.ts'
import { limits, requiredLine } from '../shared/rules.ts'
import { campaignTextSchema } from './http.ts'
import { notificationButtonSchema } from './notification-button.ts'
import { notificationTypeSchema } from './notification.ts'
import { translationSchema } from './translation.ts'

/** Texts that admins send again. A module of its own, because only the send page needs it. */

export const templateNotFound = routeError('not-found', 'Template not found')
export const templateNameTaken = routeError('conflict', 'A template with this name exists')
export const templateChanged = routeError('conflict', 'Another admin has changed this template')
export const tooManyTemplates = routeError('conflict', `There can be at most ${limits.templates} templates`)

const idParams = z.object({ id: templateIdSchema })

export const templateSchema = z.object({
  _id: templateIdSchema,
  name: z.string(),
  title: z.string(),
  message: z.string(),
  type: notificationTypeSchema,
  button: notificationButtonSchema.optional(),
  image: z.string().optional(),
  isUrgent: z.literal(true).optional(),
  translation: translationSchema.optional(),
  /** Increases with each change. */
  version: z.number().int(),
  /** Absent if it was never used. */
  lastUse: z
    .object({
      at: z.iso.datetime(),
      /** `fullName` is empty after the erasure of the account. */
      by: z.object({ _id: userIdSchema, fullName: z.string() }),
    })
    .optional(),
})
export type Template = z.infer<typeof templateSchema>

/** Names that differ only in letter case or spaces are the same. */
const templateFields = campaignTextSchema.extend({
  name: requiredLine('Name', limits.templateNameChars, 'Please enter a name for the template'),
})

const answerSchema = doneSchema.extend({ template: templateSchema })

export const listTemplates = defineRoute({
  method: 'GET',
  path: '/notifications/templates',
  access: 'admin',
  summary: 'The templates of all admins by name, with their last use. At most 100',
  response: z.object({ success: z.literal(true), templates: z.array(templateSchema) }),
})

export const createTemplate = defineRoute({
  method: 'POST',
  path: '/notifications/templates',
  access: 'admin',
  summary: 'Keep a text as a template for all admins',
  body: templateFields,
  response: answerSchema,
  errors: [templateNameTaken, tooManyTemplates],
})

export const changeTemplate = defineRoute({
  method: 'PUT',
  path: '/notifications/templates/:id',
  access: 'admin',
  summary: 'Change the name and the text of a template',
  params: idParams,
  /** `version`: of the template that was changed. The first of two admins wins, and the other one learns of it. */
  body: templateFields.extend({ version: z.number('version must be a whole number').int() }),
  response: answerSchema,
  errors: [templateNotFound, templateNameTaken, templateChanged],
})

export const deleteTemplate = defineRoute({
  method: 'DELETE',
  path: '/notifications/templates/:id',
  access: 'admin',
  summary: 'Delete a template. What was sent with it stays',
  params: idParams,
  response: doneSchema,
  errors: [templateNotFound],
})

export const recordTemplateUse = defineRoute({
  method: 'POST',
  path: '/notifications/templates/:id/use',
  access: 'admin',
  summary: 'Record that the caller begins a notification with the template',
  repetition: 'harmless',
  params: idParams,
  response: doneSchema,
  errors: [templateNotFound],
})
