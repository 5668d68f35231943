import { templateEventSchemas } from '@portal/contracts/notifications/events'
import { z } from 'zod'

/** Recorded as they are published: everything about templates is for all admins. */
export const templateEventSchema = z.discriminatedUnion('type', templateEventSchemas)
export type TemplateEvent = z.infer<typeof templateEventSchema>
