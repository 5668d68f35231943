import type { HistoryFilter } from '@portal/contracts/notifications/http'
import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import { boundedCache } from '@portal/platform/cache/bounded-cache'
import { type CampaignFacts, maxIndexedCampaigns } from './campaign-index.ts'
import type { CampaignProgressReader } from '../campaign/progress.ts'

/** The statuses that depend on outcomes. */
type OutcomeFilter = Exclude<NonNullable<HistoryFilter['status']>, 'recalled'>

/** The outcomes of a campaign without pending recipients, as of its last action. */
type Settled = Pick<CampaignProgress, OutcomeFilter> & { readonly change: number }

/** The buckets may apply an action some time after the history. Until then the outcomes can still change. */
const settlesWithinMs = 60_000
/** Campaigns read at once, up to 64 documents each. */
const campaignsPerRead = 20

type CampaignOutcomesDeps = {
  readonly progress: Pick<CampaignProgressReader, 'progressOf'>
  readonly now: () => Date
}

/** Filters campaigns by outcome. Outcomes are kept once nothing is pending, because only a further action changes them. */
export const createCampaignOutcomes = ({ progress, now }: CampaignOutcomesDeps) => {
  const settled = boundedCache<NotificationId, Settled>(2 * maxIndexedCampaigns)

  const known = ({ notificationId, change }: CampaignFacts): Settled | undefined => {
    const found = settled.get(notificationId)
    return found?.change === change ? found : undefined
  }

  const mayChange = ({ changedAt }: CampaignFacts): boolean => now().getTime() - Date.parse(changedAt) < settlesWithinMs

  const read = async (campaigns: readonly CampaignFacts[]): Promise<ReadonlyMap<NotificationId, CampaignProgress>> => {
    const found = new Map<NotificationId, CampaignProgress>()
    for (let from = 0; from < campaigns.length; from += campaignsPerRead) {
      await yieldToEventLoop()
      const some = campaigns.slice(from, from + campaignsPerRead)
      const sums = await progress.progressOf(some.map(({ notificationId }) => notificationId))
      for (const [index, campaign] of some.entries()) {
        const sum = sums[index]
        if (!sum) continue
        const { notificationId, change } = campaign
        const { pending, failed, cancelled } = sum
        found.set(notificationId, sum)
        if (pending === 0 && !mayChange(campaign)) settled.set(notificationId, { pending, failed, cancelled, change })
      }
    }
    return found
  }

  return async (campaigns: readonly CampaignFacts[], status: OutcomeFilter): Promise<readonly CampaignFacts[]> => {
    const outcomes = new Map(campaigns.map((campaign) => [campaign.notificationId, known(campaign)]))
    const current = await read(campaigns.filter(({ notificationId }) => outcomes.get(notificationId) === undefined))
    return campaigns.filter(({ notificationId }) => {
      const counts = outcomes.get(notificationId) ?? current.get(notificationId)
      return counts !== undefined && counts[status] > 0
    })
  }
}
export type CampaignOutcomes = ReturnType<typeof createCampaignOutcomes>
