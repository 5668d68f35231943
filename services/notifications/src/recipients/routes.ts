import { notificationNotFound, userNotFound } from '@portal/contracts/notifications/errors'
import { exportRecipients, listRecipients } from '@portal/contracts/notifications/http'
import { getPerson } from '@portal/contracts/notifications/people'
import { ok, rejected } from '@portal/platform/decider/decider'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { reads, recordCalls } from '@portal/platform/http/record-calls'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { FastifyInstance } from 'fastify'
import type { PersonEnrollments } from '../audience/person-enrollments.ts'
import { apiErrorOf } from '../campaign/routes.ts'
import type { OwnDevices } from '../device/own-devices.ts'
import type { ExportRecipients } from './export-recipients.ts'
import type { ReadPersonDeliveries } from './person-deliveries.ts'
import type { RecipientsReader } from './recipients-reader.ts'

type RecipientsRoutesDeps = {
  readonly bind: BindRoute
  readonly securityLog: SecurityLog
  readonly recipients: Pick<RecipientsReader, 'page'>
  readonly exportAll: ExportRecipients
  readonly personDeliveries: ReadPersonDeliveries
  readonly enrollmentsOf: PersonEnrollments
  readonly devicesOf: OwnDevices['ofUser']
}

/** Who got a campaign and why others did not, and what one person got. */
export const recipientsRoutes = (app: FastifyInstance, deps: RecipientsRoutesDeps): void => {
  const { bind, securityLog, recipients, exportAll, personDeliveries } = deps

  const recorded = recordCalls(bind, securityLog, { event: 'users-listed', methods: reads })
  recorded(app, listRecipients, async ({ params, query }) => {
    const page = await recipients.page(params.id, query)
    return page ? ok({ success: true, ...page }) : rejected(notificationNotFound)
  })

  recorded(app, exportRecipients, async (call) => {
    const { params, query: filter, session } = call
    const request = { notificationId: params.id, requestedBy: session.userId, filter }
    const exported = await exportAll(request, metadataOf(call))
    return exported.ok ? exported : rejected(apiErrorOf(exported.error))
  })

  recorded(app, getPerson, async ({ params }) => {
    const { userId } = params
    const found = await personDeliveries(userId)
    if (!found) return rejected(userNotFound)
    const [enrollments, devices] = await Promise.all([deps.enrollmentsOf(userId), deps.devicesOf(userId)])
    return ok({ success: true, ...found, enrollments, devices })
  })
}
