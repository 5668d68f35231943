import { notificationNotFound } from '@portal/contracts/notifications/errors'
import { exportRecipients, listRecipients } from '@portal/contracts/notifications/http'
import { ok, rejected } from '@portal/platform/decider/decider'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { reads, recordCalls } from '@portal/platform/http/record-calls'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { FastifyInstance } from 'fastify'
import type { ExportRecipients } from './export-recipients.ts'
import type { RecipientsReader } from './recipients-reader.ts'
import { apiErrorOf } from './routes.ts'

type Deps = {
  readonly bind: BindRoute
  readonly securityLog: SecurityLog
  readonly recipients: Pick<RecipientsReader, 'page'>
  readonly exportAll: ExportRecipients
}

/** Who got a campaign, and why others did not. */
export const recipientsRoutes = (app: FastifyInstance, { bind, securityLog, recipients, exportAll }: Deps): void => {
  bind(app, listRecipients, async ({ params, query }) => {
    const page = await recipients.page(params.id, query)
    return page ? ok({ success: true, ...page }) : rejected(notificationNotFound)
  })

  const recorded = recordCalls(bind, securityLog, { event: 'users-listed', methods: reads })
  recorded(app, exportRecipients, async (call) => {
    const { params, query: filter, session } = call
    const request = { notificationId: params.id, requestedBy: session.userId, filter }
    const exported = await exportAll(request, metadataOf(call))
    return exported.ok ? exported : rejected(apiErrorOf(exported.error))
  })
}
