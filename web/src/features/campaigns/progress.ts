import { type CampaignProgress, outcomeStates } from '@portal/contracts/notifications/notification'

/** The states in the order in which every bar and every row of counts shows them: best first, unfinished in the middle. */
export const deliveryStates = ['live', 'pushed', 'pending', 'skipped', 'failed', 'cancelled'] as const
export type DeliveryState = (typeof deliveryStates)[number]

type Segment = {
  readonly state: DeliveryState
  readonly count: number
  /** Parts of the whole bar, 0 to 1. */
  readonly start: number
  readonly share: number
}

/** One failure among 10,000 must still be seen: no state that has anyone is drawn smaller than this. */
export const smallestShare = 0.012

/**
 * The bar of a send. Every bar has the same length and the same order of states, so that two sends compare by the places
 * where the colors change; the other states shrink in proportion to what the smallest ones gain.
 */
export const segmentsOf = (progress: CampaignProgress): readonly Segment[] => {
  const total = deliveryStates.reduce((sum, state) => sum + progress[state], 0)
  const raw = deliveryStates.map((state) => (total === 0 ? 0 : progress[state] / total))
  const lifted = raw.map((share) => (share > 0 ? Math.max(share, smallestShare) : 0))
  const excess = Math.max(0, lifted.reduce((sum, share) => sum + share, 0) - 1)
  const spare = lifted.reduce((sum, share) => sum + Math.max(0, share - smallestShare), 0)

  let start = 0
  return deliveryStates.map((state, i) => {
    const wide = lifted[i] ?? 0
    const share = wide > smallestShare ? wide - (excess * (wide - smallestShare)) / spare : wide
    const segment = { state, count: progress[state], start, share }
    start += share
    return segment
  })
}

/**
 * The later of two reports of the same send. A recipient's outcome is final and reads are never taken back, so each of
 * these counts only grows: the larger one is the newer one, in whatever order page and socket bring them.
 */
export const mergeProgress = (known: CampaignProgress, news: CampaignProgress): CampaignProgress => {
  const settled = { live: 0, pushed: 0, skipped: 0, failed: 0, cancelled: 0 }
  for (const state of outcomeStates) settled[state] = Math.max(known[state], news[state])
  const done = outcomeStates.reduce((sum, state) => sum + settled[state], 0)
  return {
    ...news,
    ...settled,
    pending: Math.max(0, news.targeted - done),
    read: Math.max(known.read, news.read),
  }
}

const numbers = new Intl.NumberFormat('en-IN')
export const formatCount = (count: number): string => numbers.format(count)

/** The bar in words. */
export const describeProgress = (progress: CampaignProgress): string => {
  const parts = deliveryStates
    .filter((state) => progress[state] > 0)
    .map((state) => `${formatCount(progress[state])} ${state}`)
  const reach = progress.targeted === 1 ? '1 recipient' : `${formatCount(progress.targeted)} recipients`
  return `${reach}: ${[...parts, `${formatCount(progress.read)} read`].join(', ')}`
}
