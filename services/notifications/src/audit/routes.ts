import { auditPageSize, exportAudit, listAudit } from '@portal/contracts/notifications/audit'
import { paginationOf } from '@portal/contracts/shared/page'
import { ok } from '@portal/platform/decider/decider'
import { FileDownload } from '@portal/platform/http/file-download'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { reads, recordCalls } from '@portal/platform/http/record-calls'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { FastifyInstance } from 'fastify'
import { type ActionIndex, matchesFilter } from './action-index.ts'
import { auditCsv } from './audit-csv.ts'
import type { PresentActions } from './present-actions.ts'
import type { RecordExport } from './record-export.ts'

type AuditRoutesDeps = {
  readonly bind: BindRoute
  readonly securityLog: SecurityLog
  readonly recordExport: RecordExport
  readonly actions: ActionIndex
  readonly presentActions: PresentActions
}

/** Who did what. There is nothing to change. */
export const auditRoutes = (app: FastifyInstance, deps: AuditRoutesDeps): void => {
  const { securityLog, recordExport, actions, presentActions } = deps
  const bind = recordCalls(deps.bind, securityLog, { event: 'users-listed', methods: reads })

  bind(app, listAudit, async ({ query: { page, ...filter } }) => {
    const selected = (await actions()).filter(matchesFilter(filter))
    const from = (page - 1) * auditPageSize
    const presented = await presentActions(selected.slice(from, from + auditPageSize))
    const pagination = paginationOf({ page, limit: auditPageSize }, selected.length)
    return ok({ success: true, rows: presented.map(({ row }) => row), pagination })
  })

  bind(app, exportAudit, async (call) => {
    const selected = (await actions()).filter(matchesFilter(call.query))
    const data = { requestedBy: call.session.userId, rows: selected.length }
    const record = () => recordExport({ type: 'AuditExported', data }, metadataOf(call))
    return ok(new FileDownload('who-did-what.csv', auditCsv(selected, presentActions), record))
  })
}
