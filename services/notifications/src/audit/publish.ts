import { userIdSchema } from '@portal/contracts/shared/ids'
import type { Publisher } from '@portal/platform/bus/publisher'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { operationCategory } from '@portal/platform/operations/operation'
import { z } from 'zod'
import { notificationsMessage } from '../bus-messages.ts'
import { auditCategory, auditEventSchema } from './events.ts'

const parseAuditEvent = storedEventReader(auditEventSchema)

export const auditPublisher: Publisher = {
  category: auditCategory,
  topics: ['notifications'],
  publish: (recorded) => [notificationsMessage('exports', parseAuditEvent(recorded))],
}

/** The parts that the list of who did what shows, of any operation. */
const shownOperationSchema = z.object({
  by: z.string(),
  reason: z.string().optional(),
  what: z.object({
    userId: userIdSchema.optional(),
    userIds: z.array(z.string()).optional(),
    people: z.number().int().optional(),
    wasAdmin: z.boolean().optional(),
  }),
})

/** Publishes an operation of a newer release, too, because an unknown type would stop all consumers of the topic. */
export const operationPublisher: Publisher = {
  category: operationCategory,
  topics: ['notifications'],
  publish: ({ type: operation, data }) => {
    const shown = shownOperationSchema.safeParse(data)
    if (!shown.success) return []
    const { by, reason, what } = shown.data
    const { userId, userIds, people = userIds?.length, wasAdmin } = what
    return [
      notificationsMessage('operations', {
        type: 'OperationRun',
        data: {
          operation,
          by,
          ...(reason !== undefined && { reason }),
          ...(userId && { userId }),
          ...(people !== undefined && { people }),
          ...(wasAdmin && { wasAdmin }),
        },
      }),
    ]
  },
}
