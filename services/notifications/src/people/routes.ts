import { exportPeople, findPeople, type ListedPerson } from '@portal/contracts/notifications/people'
import { paginationOf } from '@portal/contracts/shared/page'
import { ok } from '@portal/platform/decider/decider'
import { FileDownload } from '@portal/platform/http/file-download'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { reads, recordCalls } from '@portal/platform/http/record-calls'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { FastifyInstance } from 'fastify'
import type { RecordExport } from '../audit/record-export.ts'
import { accountStateOf, type IndexedPerson, presentPerson } from '../audience/indexed-person.ts'
import type { PeopleIndex } from '../audience/people-index.ts'
import { peopleCsv } from './people-csv.ts'
import { rememberSelections } from '../audience/remember-selections.ts'
import { selectPeople } from './select-people.ts'

/** Leaves out users who were erased since they were selected. */
const present = (people: readonly IndexedPerson[]): ListedPerson[] =>
  people.flatMap((person) => {
    if (person.profile === undefined) return []
    const { userId, ...shown } = presentPerson(person, person.profile)
    const registeredAt = new Date(person.registeredAtMs).toISOString()
    return [{ _id: userId, ...shown, state: accountStateOf(person), registeredAt }]
  })

type PeopleRoutesDeps = {
  readonly bind: BindRoute
  readonly securityLog: SecurityLog
  readonly people: Pick<PeopleIndex, 'snapshot'>
  readonly recordExport: RecordExport
}

/** The list of all users. */
export const peopleRoutes = (
  app: FastifyInstance,
  { bind, securityLog, people, recordExport }: PeopleRoutesDeps,
): void => {
  const recorded = recordCalls(bind, securityLog, { event: 'users-listed', methods: reads })

  const select = rememberSelections(selectPeople)

  recorded(app, findPeople, async ({ query: { page, limit, ...filter } }) => {
    const found = await select(filter, await people.snapshot())
    const shown = present(found.slice((page - 1) * limit, page * limit))
    return ok({ success: true, people: shown, pagination: paginationOf({ page, limit }, found.length) })
  })

  recorded(app, exportPeople, async (call) => {
    const found = await select(call.query, await people.snapshot())
    const data = { requestedBy: call.session.userId, rows: found.length }
    const record = () => recordExport({ type: 'PeopleExported', data }, metadataOf(call))
    const rows = (from: number, to: number) => present(found.slice(from, to))
    return ok(new FileDownload('users.csv', peopleCsv(found.length, rows), record))
  })
}
