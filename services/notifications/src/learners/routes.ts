import { programNotFound } from '@portal/contracts/catalog/errors'
import { exportLearners, type LearnerFilter, listLearners } from '@portal/contracts/notifications/learners'
import { programRecordIdSchema } from '@portal/contracts/shared/ids'
import { paginationOf } from '@portal/contracts/shared/page'
import { ok, rejected } from '@portal/platform/decider/decider'
import { FileDownload } from '@portal/platform/http/file-download'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { reads, recordCalls } from '@portal/platform/http/record-calls'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { FastifyInstance } from 'fastify'
import type { RecordExport } from '../audit/record-export.ts'
import type { PeopleIndex } from '../audience/people-index.ts'
import { rememberSelections } from '../audience/remember-selections.ts'
import type { LearnerRows } from './learner-rows.ts'
import { learnersCsv } from './learners-csv.ts'
import { selectLearners } from './select-learners.ts'

type LearnersRoutesDeps = {
  readonly bind: BindRoute
  readonly securityLog: SecurityLog
  readonly people: Pick<PeopleIndex, 'snapshot'>
  readonly learnerRows: LearnerRows
  readonly recordExport: RecordExport
}

/** The learners of a program. */
export const learnersRoutes = (
  app: FastifyInstance,
  { bind, securityLog, people, learnerRows, recordExport }: LearnersRoutesDeps,
): void => {
  const recorded = recordCalls(bind, securityLog, { event: 'users-listed', methods: reads })

  const remembered = rememberSelections(selectLearners)

  /** Undefined if the program is not in the catalog. */
  const select = async (id: string, filter: LearnerFilter) => {
    const { data: programId } = programRecordIdSchema.safeParse(id)
    const snapshot = await people.snapshot()
    if (programId === undefined || !snapshot.programs.has(programId)) return undefined
    const { learners, counts } = await remembered({ programId, ...filter }, snapshot)
    const rows = (from: number, to: number) => learnerRows(programId, learners.slice(from, to), snapshot)
    return { programId, total: learners.length, counts, rows }
  }

  recorded(app, listLearners, async ({ params, query: { page, limit, ...filter } }) => {
    const selected = await select(params.id, filter)
    if (!selected) return rejected(programNotFound)
    const { total, counts, rows } = selected
    const learners = await rows((page - 1) * limit, page * limit)
    return ok({ success: true, learners, pagination: paginationOf({ page, limit }, total), counts })
  })

  recorded(app, exportLearners, async (call) => {
    const selected = await select(call.params.id, call.query)
    if (!selected) return rejected(programNotFound)
    const { programId, total, rows } = selected
    const data = { requestedBy: call.session.userId, programId, rows: total }
    const record = () => recordExport({ type: 'LearnersExported', data }, metadataOf(call))
    return ok(new FileDownload('learners.csv', learnersCsv(total, rows), record))
  })
}
