import { type AuditFilter, auditFilterSchema } from '@portal/contracts/notifications/audit'
import { limits } from '@portal/contracts/shared/rules'

/** What the list shows: one page of the actions that match a filter. */
export type AuditQuery = { readonly page: number; readonly filter: AuditFilter }

const names = ['who', 'kind', 'from', 'to'] as const satisfies readonly (keyof AuditFilter)[]

export const isUnfiltered = (filter: AuditFilter): boolean => names.every((name) => filter[name] === undefined)

/** Reads the query from the address of the page. Invalid conditions are ignored. */
export const auditQueryOf = (search: URLSearchParams): AuditQuery => {
  const page = Number(search.get('page') ?? '1')
  const given = names.flatMap((name) => {
    const value = search.get(name)
    return value !== null && auditFilterSchema.shape[name].safeParse(value).success ? [[name, value] as const] : []
  })
  return {
    page: Number.isSafeInteger(page) && page >= 1 && page <= limits.page ? page : 1,
    filter: auditFilterSchema.parse(Object.fromEntries(given)),
  }
}

export const auditSearch = ({ page, filter }: AuditQuery): URLSearchParams => {
  const search = new URLSearchParams()
  for (const name of names) if (filter[name] !== undefined) search.set(name, filter[name])
  if (page > 1) search.set('page', String(page))
  return search
}
