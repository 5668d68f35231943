import type { SentItem } from '@portal/contracts/notifications/notification'
import { type PageQuery, type Pagination, paginationOf } from '@portal/contracts/shared/page'
import type { ReadStore } from '@portal/platform/read-model/port'
import { presentItem, textUnavailable } from '../inbox/presenter.ts'
import type { ContentCache } from '../inbox/content-cache.ts'
import { withdrawnText } from '../inbox/stored-text.ts'
import type { CampaignProgressReader } from './progress.ts'
import { campaignList, campaignPartition, campaignTotalRef } from '../read-model.ts'
import { campaignTotalOf, sentCampaignId, sentCampaignOf } from './projection.ts'

type Deps = {
  readonly readModel: ReadStore
  readonly contentCache: ContentCache
  readonly progress: Pick<CampaignProgressReader, 'sum'>
}

/**
 * Reads the history of campaigns with their progress, newest first. Campaigns are numbered without gaps, so a page
 * is a range.
 */
export const createHistory =
  ({ readModel, contentCache, progress }: Deps) =>
  async (query: PageQuery): Promise<{ notifications: SentItem[]; pagination: Pagination }> => {
    const total = campaignTotalOf(await readModel.get(campaignTotalRef))
    const newest = total - (query.page - 1) * query.limit
    const entries =
      newest < 1
        ? []
        : await readModel.range(campaignPartition, campaignList, {
            from: newest - query.limit + 1,
            to: newest,
            order: 'descending',
            limit: query.limit,
          })
    const sent = entries.map(({ member, score, value }) => ({
      notificationId: sentCampaignId(member),
      ordinal: score,
      ...sentCampaignOf(value),
    }))
    const [found, sums] = await Promise.all([
      contentCache.many(sent.map(({ notificationId }) => notificationId)),
      progress.sum(sent),
    ])
    const notifications = sent.flatMap(({ notificationId, ordinal, sentAt, recalledAt }, index) => {
      // A recalled campaign never shows its text, even if this process still has it.
      const text = recalledAt === undefined ? found[index] : withdrawnText(notificationId)
      const sum = sums[index]
      if (!sum) return []
      const item = presentItem(text ?? textUnavailable(notificationId), { seq: ordinal, deliveredAt: sentAt }, null)
      return [{ ...item, ...(recalledAt !== undefined && { withdrawnAt: recalledAt }), progress: sum }]
    })
    return { notifications, pagination: paginationOf(query, total) }
  }
export type History = ReturnType<typeof createHistory>
