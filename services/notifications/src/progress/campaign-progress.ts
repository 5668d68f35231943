import type { CampaignProgress } from '@portal/contracts/notifications/notification'
import type { NotificationId } from '@portal/contracts/shared/ids'
import type { ReadModel } from '@portal/platform/read-model/port'
import { type SentCampaign, sentCampaignOf } from '../campaign/projection.ts'
import { type BucketTally, emptyTally, tallyOf } from '../inbox/documents.ts'
import { campaignList, campaignPartition, tallyRef } from '../read-model.ts'

type Known = Pick<SentCampaign, 'targeted' | 'buckets'> & {
  readonly notificationId: NotificationId
  /** Its number in the history. */
  readonly ordinal: number
}

const add = (a: BucketTally, b: BucketTally): BucketTally => ({
  targeted: a.targeted + b.targeted,
  live: a.live + b.live,
  pushed: a.pushed + b.pushed,
  skipped: a.skipped + b.skipped,
  failed: a.failed + b.failed,
  cancelled: a.cancelled + b.cancelled,
  read: a.read + b.read,
})

/** Whoever has no outcome is pending, so the states always add up to the number targeted. */
const progressFrom = (
  { notificationId, ordinal, targeted }: Known,
  tallies: readonly BucketTally[],
): CampaignProgress => {
  const { live, pushed, skipped, failed, cancelled, read } = tallies.reduce(add, emptyTally)
  const pending = targeted - live - pushed - skipped - failed - cancelled
  return { notificationId, seq: ordinal, targeted, pending, live, pushed, skipped, failed, cancelled, read }
}

export const createCampaignProgress = (readModel: Pick<ReadModel, 'getMany' | 'entries'>) => {
  /** Of sends whose size and buckets are at hand. At most 100 at once. */
  const sum = async (campaigns: readonly Known[]): Promise<readonly CampaignProgress[]> => {
    const refs = campaigns.map(({ notificationId, buckets }) =>
      buckets.map((bucket) => tallyRef(bucket, notificationId)),
    )
    const found = await readModel.getMany(refs.flat())
    let next = 0
    return campaigns.map((campaign, index) => {
      const tallies = (refs[index] ?? []).map(() => tallyOf(found[next++]))
      return progressFrom(campaign, tallies)
    })
  }

  return {
    sum,
    /** In the order asked; undefined for a send that is not known. At most 100 at once. */
    progressOf: async (
      notificationIds: readonly NotificationId[],
    ): Promise<readonly (CampaignProgress | undefined)[]> => {
      const entries = await readModel.entries(
        campaignPartition,
        notificationIds.map((member) => ({ list: campaignList, member })),
      )
      const known = notificationIds.flatMap((notificationId, index): readonly Known[] => {
        const entry = entries[index]
        return entry ? [{ notificationId, ordinal: entry.score, ...sentCampaignOf(entry.value) }] : []
      })
      const progress = new Map((await sum(known)).map((one) => [one.notificationId, one]))
      return notificationIds.map((notificationId) => progress.get(notificationId))
    },
  }
}
export type CampaignProgressReader = ReturnType<typeof createCampaignProgress>
