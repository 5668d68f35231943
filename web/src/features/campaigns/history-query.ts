import { historyFilterSchema, type HistoryFilter } from '@portal/contracts/notifications/http'

/** What the history shows: one page of the campaigns that match a filter. */
export type HistoryQuery = { readonly page: number; readonly filter: HistoryFilter }

export const firstPage: HistoryQuery = { page: 1, filter: {} }

/** The names in the address of the page. `to` and `remind` belong to the send form. */
const parameters = {
  q: 'search',
  type: 'type',
  sentBy: 'sender',
  source: 'source',
  status: 'status',
  from: 'since',
  to: 'until',
} as const satisfies Readonly<Record<keyof HistoryFilter, string>>

type FilterName = keyof HistoryFilter
const filterNames: readonly FilterName[] = ['q', 'type', 'sentBy', 'source', 'status', 'from', 'to']

export const isUnfiltered = (filter: HistoryFilter): boolean => filterNames.every((name) => filter[name] === undefined)

/** The number of conditions beside the search. */
export const countConditions = (filter: HistoryFilter): number =>
  filterNames.filter((name) => name !== 'q' && filter[name] !== undefined).length

export const isSameQuery = (one: HistoryQuery, other: HistoryQuery): boolean =>
  one.page === other.page && filterNames.every((name) => one.filter[name] === other.filter[name])

/** Without a sender, the history shows what admins sent: the portal's many notices would bury it. */
export const requestedFilter = (filter: HistoryFilter): HistoryFilter =>
  filter.sentBy === undefined && filter.source === undefined ? { ...filter, source: 'admins' } : filter

/** Reads the query from an address. Invalid conditions are ignored. */
export const historyQueryOf = (search: URLSearchParams): HistoryQuery => {
  const page = Number(search.get('page') ?? '1')
  const given = Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = search.get(parameters[name])
      const isValid = value !== null && value !== '' && historyFilterSchema.shape[name].safeParse(value).success
      return isValid ? [[name, value]] : []
    }),
  )
  return {
    page: Number.isSafeInteger(page) && page >= 1 ? page : 1,
    filter: historyFilterSchema.parse(given),
  }
}

/** Writes the query into an address, beside what others have written there. */
export const withHistoryQuery = (search: URLSearchParams, { page, filter }: HistoryQuery): URLSearchParams => {
  const next = new URLSearchParams(search)
  const set = (name: string, value: string | undefined) =>
    value === undefined || value === '' ? next.delete(name) : next.set(name, value)
  for (const name of filterNames) set(parameters[name], filter[name])
  set('page', page === 1 ? undefined : String(page))
  return next
}

/** The address of the history with a filter. */
export const historyPath = (filter: HistoryFilter): string =>
  `/admin/notifications?${withHistoryQuery(new URLSearchParams(), { ...firstPage, filter }).toString()}`
