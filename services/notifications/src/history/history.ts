import type { HistoryFilter } from '@portal/contracts/notifications/http'
import type { SentItem } from '@portal/contracts/notifications/sent-item'
import { type PageQuery, type Pagination, paginationOf } from '@portal/contracts/shared/page'
import type { ReadStore } from '@portal/platform/read-model/port'
import {
  adminCampaignList,
  adminCampaignTotalRef,
  campaignList,
  campaignPartition,
  campaignTotalRef,
} from '../read-model.ts'
import { type CampaignFacts, type CampaignIndex, matchesFacts } from './campaign-index.ts'
import type { CampaignOutcomes } from './campaign-outcomes.ts'
import type { CampaignSearch } from './campaign-search.ts'
import { campaignTotalOf } from '../campaign/projection.ts'
import { type CampaignRow, campaignRowOf, type SentItems } from './sent-items.ts'

type HistoryDeps = {
  readonly readModel: Pick<ReadStore, 'get' | 'range' | 'entries'>
  readonly sentItems: SentItems
  readonly index: CampaignIndex
  readonly search: CampaignSearch
  readonly outcomes: CampaignOutcomes
}

type Page<Item> = { readonly rows: readonly Item[]; readonly total: number }

/** Lists whose campaigns are numbered without gaps, so that a page is a range. */
const numberedLists = {
  all: { list: campaignList, totalRef: campaignTotalRef },
  admins: { list: adminCampaignList, totalRef: adminCampaignTotalRef },
} as const

/** The list that a filter without other conditions asks for. */
const numberedListOf = ({ q = '', type, sentBy, source = 'all', status, from, to }: HistoryFilter) =>
  source === 'portal' || q !== '' || [type, sentBy, status, from, to].some((part) => part !== undefined)
    ? undefined
    : numberedLists[source]

/** Reads the history of campaigns with their progress, newest first. */
export const createHistory = ({ readModel, sentItems, index, search, outcomes }: HistoryDeps) => {
  const rowsOf = async (notificationIds: readonly string[]): Promise<readonly CampaignRow[]> => {
    const entries = await readModel.entries(
      campaignPartition,
      notificationIds.map((member) => ({ list: campaignList, member })),
    )
    return entries.flatMap((entry) => (entry ? [campaignRowOf(entry)] : []))
  }

  const pageOfList = async (
    { list, totalRef }: (typeof numberedLists)['all' | 'admins'],
    { page, limit }: PageQuery,
  ): Promise<Page<CampaignRow>> => {
    const total = campaignTotalOf(await readModel.get(totalRef))
    const newest = total - (page - 1) * limit
    if (newest < 1) return { rows: [], total }
    const range = { from: newest - limit + 1, to: newest, order: 'descending', limit } as const
    const entries = await readModel.range(campaignPartition, list, range)
    if (list === campaignList) return { rows: entries.map(campaignRowOf), total }
    return { rows: await rowsOf(entries.map(({ member }) => member)), total }
  }

  /** The cheapest conditions come first, because each reads only what the one before has left. */
  const select = async (filter: HistoryFilter): Promise<readonly CampaignFacts[]> => {
    const all = await index()
    search.forget(all)
    const candidates = all.filter((campaign) => matchesFacts(filter, campaign))
    const found = await search.matching(candidates, filter.q ?? '')
    const { status } = filter
    return status === undefined || status === 'recalled' ? found : outcomes(found, status)
  }

  const pageOfFiltered = async ({ page, limit, ...filter }: PageQuery & HistoryFilter): Promise<Page<CampaignRow>> => {
    const selected = await select(filter)
    const shown = selected.slice((page - 1) * limit, page * limit)
    return { rows: await rowsOf(shown.map(({ notificationId }) => notificationId)), total: selected.length }
  }

  return async (query: PageQuery & HistoryFilter): Promise<{ notifications: SentItem[]; pagination: Pagination }> => {
    const list = numberedListOf(query)
    const { rows, total } = await (list ? pageOfList(list, query) : pageOfFiltered(query))
    return { notifications: await sentItems(rows), pagination: paginationOf(query, total) }
  }
}
export type History = ReturnType<typeof createHistory>
