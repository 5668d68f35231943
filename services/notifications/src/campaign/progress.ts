import { mapOutcomeStates, outcomeStates } from '@portal/contracts/notifications/notification'
import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import type { NotificationId } from '@portal/contracts/shared/ids'
import type { ReadStore } from '@portal/platform/read-model/port'
import { type SentCampaign, sentCampaignOf } from './projection.ts'
import { type BucketTally, campaignList, campaignPartition, tallyOf, tallyRef } from '../read-model.ts'

type Known = Pick<SentCampaign, 'targeted' | 'buckets'> & {
  readonly notificationId: NotificationId
  /** The campaign's number in the history. */
  readonly ordinal: number
}

/** Counts of events that few campaigns have. Absent before the first. */
const rareCounts = ['recalled', 'withheld', 'resent', 'emailed', 'clicked'] as const

/** Absent if no push waits. */
const postponedIn = (tallies: readonly BucketTally[]): Pick<CampaignProgress, 'postponed' | 'postponedUntil'> => {
  const waiting = tallies.filter(({ postponed }) => postponed !== undefined)
  if (waiting.length === 0) return {}
  const untils = waiting.flatMap(({ postponedUntil }) => postponedUntil ?? [])
  return {
    postponed: waiting.reduce((sum, { postponed = 0 }) => sum + postponed, 0),
    postponedUntil: untils.toSorted().at(-1),
  }
}

const sumOfRare = (tallies: readonly BucketTally[]): Partial<Record<(typeof rareCounts)[number], number>> => {
  const sums: Partial<Record<(typeof rareCounts)[number], number>> = {}
  for (const tally of tallies)
    for (const name of rareCounts) {
      const count = tally[name]
      if (count !== undefined) sums[name] = (sums[name] ?? 0) + count
    }
  return sums
}

/** Recipients without an outcome are pending, so the states always add up to `targeted`. */
const progressFrom = (
  { notificationId, ordinal, targeted }: Known,
  tallies: readonly BucketTally[],
): CampaignProgress => {
  const outcomes = mapOutcomeStates(() => 0)
  let [distributed, settled, read] = [0, 0, 0]
  for (const tally of tallies) {
    for (const state of outcomeStates) {
      outcomes[state] += tally[state]
      settled += tally[state]
    }
    distributed += tally.targeted
    read += tally.read
  }
  return {
    notificationId,
    seq: ordinal,
    targeted,
    pending: targeted - settled,
    ...outcomes,
    read,
    ...(distributed < targeted && { distributed }),
    ...sumOfRare(tallies),
    ...postponedIn(tallies),
  }
}

export const createCampaignProgress = (readModel: ReadStore) => {
  /** Sums the progress of campaigns with known size and buckets. At most 100 per call. */
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
    /** Reads at most 100 campaigns. Returns them in the given order; undefined for an unknown campaign. */
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
