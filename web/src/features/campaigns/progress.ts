import { type CampaignProgress, outcomeStates } from '@portal/contracts/notifications/notification'

/** The order of the states in every bar and row of counts: best first, unfinished in the middle. */
export const deliveryStates = ['live', 'pushed', 'pending', 'skipped', 'failed', 'cancelled'] as const
export type DeliveryState = (typeof deliveryStates)[number]

type Segment = {
  readonly state: DeliveryState
  readonly count: number
  /** A fraction of the whole bar, from 0 to 1. */
  readonly start: number
  readonly share: number
}

/** The minimum width of a non-empty state: one failure among 10,000 must be visible. */
export const smallestShare = 0.012

/**
 * The segments of a campaign's bar. All bars have the same length and order of states, so that campaigns are comparable. Large
 * segments shrink to make room for the minimum width of small ones.
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
 * Merges two reports of the same campaign. Delivery outcomes and reads are final, so each of these counts only grows. The
 * larger count is the newer one, in whatever order the reports arrive.
 */
export const mergeProgress = (known: CampaignProgress, newer: CampaignProgress): CampaignProgress => {
  const settled = { live: 0, pushed: 0, skipped: 0, failed: 0, cancelled: 0 }
  for (const state of outcomeStates) settled[state] = Math.max(known[state], newer[state])
  const done = outcomeStates.reduce((sum, state) => sum + settled[state], 0)
  return {
    ...newer,
    ...settled,
    pending: Math.max(0, newer.targeted - done),
    read: Math.max(known.read, newer.read),
  }
}

const numbers = new Intl.NumberFormat('en-IN')
export const formatCount = (count: number): string => numbers.format(count)

/** The bar as a text for screen readers. */
export const describeProgress = (progress: CampaignProgress): string => {
  const parts = deliveryStates
    .filter((state) => progress[state] > 0)
    .map((state) => `${formatCount(progress[state])} ${state}`)
  const reach = progress.targeted === 1 ? '1 recipient' : `${formatCount(progress.targeted)} recipients`
  return `${reach}: ${[...parts, `${formatCount(progress.read)} read`].join(', ')}`
}
