import type { HistoryFilter } from '@portal/contracts/notifications/http'
import type { NotificationType } from '@portal/contracts/notifications/notification'
import { portalSender } from '@portal/contracts/notifications/portal-sender'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import type { ReadStore } from '@portal/platform/read-model/port'
import { dateOf, dayAt } from '../activity/counts.ts'
import { shareNextRun } from '../audience/share-next-run.ts'
import { campaignList, campaignPartition } from '../read-model.ts'
import { campaignChangeOf, changeList, lastChangeOf, lastChangeRef } from '../actions/campaign-actions.ts'
import { type CampaignRow, campaignRowOf } from './sent-items.ts'

/** What the history can be filtered by without reading anything. */
export type CampaignFacts = {
  readonly notificationId: NotificationId
  readonly ordinal: number
  /** Date where the program is held: `2026-11-21`. */
  readonly sentOn: string
  readonly sentBy: UserId
  readonly type: NotificationType
  readonly isRecalled: boolean
  /** The number and the time of the last action. */
  readonly change: number
  readonly changedAt: string
}

/** Indexed campaigns of admins, and as many of the portal. About 300 bytes each. Filters do not find older campaigns. */
export const maxIndexedCampaigns = 100_000
const changesPerRead = 1_000

const factsOf = (row: CampaignRow, change: number, changedAt: string): CampaignFacts => ({
  notificationId: row.notificationId,
  ordinal: row.ordinal,
  sentOn: dateOf(dayAt(new Date(row.sentAt))),
  sentBy: row.sentBy,
  type: row.type,
  isRecalled: row.recalledAt !== undefined,
  change,
  changedAt,
})

const isAutomatic = ({ sentBy }: Pick<CampaignFacts, 'sentBy'>): boolean => sentBy === portalSender

/** Whether a campaign matches the parts of a filter that its facts decide. */
export const matchesFacts = (
  { type, sentBy, source = 'all', from, to, status }: HistoryFilter,
  campaign: Pick<CampaignFacts, 'type' | 'sentBy' | 'sentOn' | 'isRecalled'>,
): boolean =>
  (type === undefined || type === campaign.type) &&
  (sentBy === undefined || sentBy === campaign.sentBy) &&
  (source === 'all' || (source === 'portal') === isAutomatic(campaign)) &&
  (from === undefined || from <= campaign.sentOn) &&
  (to === undefined || campaign.sentOn <= to) &&
  (status !== 'recalled' || campaign.isRecalled)

type Reads = Pick<ReadStore, 'epoch' | 'get' | 'range' | 'entries'>

/** Keeps small facts of all campaigns in memory. A refresh reads only campaigns with a new action. */
export const createCampaignIndex = (readModel: Reads, maxCampaigns = maxIndexedCampaigns) => {
  const byId = new Map<NotificationId, CampaignFacts>()
  let newestFirst: readonly CampaignFacts[] = []
  let [epoch, lastChange] = ['', 0]

  const readChanges = async (): Promise<number> => {
    const changes = await readModel.range(campaignPartition, changeList, {
      from: lastChange + 1,
      order: 'ascending',
      limit: changesPerRead,
    })
    const rows = await readModel.entries(
      campaignPartition,
      changes.map(({ member }) => ({ list: campaignList, member })),
    )
    for (const [index, { score, value }] of changes.entries()) {
      const row = rows[index]
      lastChange = score
      if (!row) continue
      const facts = factsOf(campaignRowOf(row), score, campaignChangeOf(value).at)
      byId.set(facts.notificationId, facts)
    }
    return changes.length
  }

  /** A read model with a lower number was restored from an older copy. */
  const isContinued = async (): Promise<boolean> =>
    epoch === readModel.epoch && lastChange <= lastChangeOf(await readModel.get(lastChangeRef))

  /** The portal's many notices do not displace what admins sent. */
  const sort = (): void => {
    const left = { automatic: maxCampaigns, byAdmins: maxCampaigns }
    newestFirst = [...byId.values()]
      .toSorted((a, b) => b.ordinal - a.ordinal)
      .filter((campaign) => left[isAutomatic(campaign) ? 'automatic' : 'byAdmins']-- > 0)
    if (newestFirst.length === byId.size) return
    byId.clear()
    for (const campaign of newestFirst) byId.set(campaign.notificationId, campaign)
  }

  /** All campaigns, newest first, with every change that was projected before the call. */
  return shareNextRun(async (): Promise<readonly CampaignFacts[]> => {
    if (!(await isContinued())) {
      byId.clear()
      ;[epoch, lastChange] = [readModel.epoch, 0]
    }
    let read = await readChanges()
    if (read === 0 && newestFirst.length === byId.size) return newestFirst
    while (read > 0) {
      await yieldToEventLoop()
      read = await readChanges()
    }
    sort()
    return newestFirst
  })
}
export type CampaignIndex = ReturnType<typeof createCampaignIndex>
