import { type AuditFilter, listAudit } from '@portal/contracts/notifications/audit'
import { call } from '../../lib/http.ts'
import { useRequestQuery } from '../../lib/query.ts'
import { useAddressSearch } from '../../lib/use-address-search.ts'
import { auditQueryOf, auditSearch } from './audit-query.ts'

/** A page of who did what, with its filter in the address. */
export const useAudit = () => {
  const [search, setSearch] = useAddressSearch()
  const query = auditQueryOf(search)
  const { page, filter } = query
  const { state, isPrevious, reload } = useRequestQuery({
    key: ['audit', auditSearch(query).toString()],
    request: (signal) => call(listAudit, { query: { ...filter, page }, signal }),
    keepsPrevious: true,
  })
  return {
    filter,
    state,
    /** Whether the rows of another page or filter are still displayed. */
    isBusy: isPrevious,
    reload: () => void reload(),
    filterBy: (next: AuditFilter) => setSearch(auditSearch({ page: 1, filter: next }), { replace: true }),
    showPage: (next: number) => setSearch(auditSearch({ filter, page: next }), {}),
  }
}
export type Audit = ReturnType<typeof useAudit>
