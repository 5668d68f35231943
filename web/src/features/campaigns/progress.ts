import { mapOutcomeStates, type OutcomeState, outcomeStates } from '@portal/contracts/notifications/notification'
import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import { clockTime, monthDay } from '../../lib/date-format.ts'
import { groupedByThree } from '../../lib/number-format.ts'

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

/** The outcomes of the newer report. Between two resends outcomes are final, so each of these counts only grows. */
const newestOutcomes = (one: CampaignProgress, other: CampaignProgress): Record<OutcomeState, number> => {
  const [resent, otherResent] = [one.resent ?? 0, other.resent ?? 0]
  if (resent !== otherResent) {
    const newest = resent > otherResent ? one : other
    return mapOutcomeStates((state) => newest[state])
  }
  return mapOutcomeStates((state) => Math.max(one[state], other[state]))
}

const largest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined && other === undefined ? undefined : Math.max(one ?? 0, other ?? 0)

/** Undefined if one report says that all inboxes have it. */
const furthest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : Math.max(one, other)

/**
 * The report with more resends and outcomes is newer. Without more of them, recipients are only added to those who wait, or have to
 * wait for longer.
 */
const compareWaiting = (one: CampaignProgress, other: CampaignProgress): number => {
  const settled = (progress: CampaignProgress): number => outcomeStates.reduce((sum, state) => sum + progress[state], 0)
  return (
    (one.resent ?? 0) - (other.resent ?? 0) ||
    settled(one) - settled(other) ||
    Date.parse(one.postponedUntil ?? '1970-01-01') - Date.parse(other.postponedUntil ?? '1970-01-01') ||
    (one.postponed ?? 0) - (other.postponed ?? 0)
  )
}

const newestWaiting = (
  one: CampaignProgress,
  other: CampaignProgress,
  pending: number,
): Pick<CampaignProgress, 'postponed' | 'postponedUntil'> => {
  const { postponed = 0, postponedUntil } = compareWaiting(one, other) > 0 ? one : other
  const count = Math.min(postponed, pending)
  return count > 0 ? { postponed: count, postponedUntil } : {}
}

/** Merges two reports of the same campaign, in whatever order they arrive. */
export const mergeProgress = (known: CampaignProgress, newer: CampaignProgress): CampaignProgress => {
  const outcomes = newestOutcomes(known, newer)
  const settled = outcomeStates.reduce((sum, state) => sum + outcomes[state], 0)
  const optional = {
    distributed: furthest(known.distributed, newer.distributed),
    recalled: largest(known.recalled, newer.recalled),
    withheld: largest(known.withheld, newer.withheld),
    resent: largest(known.resent, newer.resent),
    emailed: largest(known.emailed, newer.emailed),
    clicked: largest(known.clicked, newer.clicked),
  }
  const { distributed: _, postponed: __, postponedUntil: ___, ...fields } = newer
  const pending = Math.max(0, newer.targeted - settled)
  return {
    ...fields,
    ...outcomes,
    pending,
    ...newestWaiting(known, newer, pending),
    read: Math.max(known.read, newer.read),
    ...(optional.distributed !== undefined && { distributed: optional.distributed }),
    ...(optional.withheld !== undefined && { withheld: optional.withheld }),
    ...(optional.recalled !== undefined && { recalled: optional.recalled }),
    ...(optional.resent !== undefined && { resent: optional.resent }),
    ...(optional.emailed !== undefined && { emailed: optional.emailed }),
    ...(optional.clicked !== undefined && { clicked: optional.clicked }),
  }
}

/** Groups of three, as in the sentences of the server. Amounts of money have Indian groups, see src/ui/money.ts. */
export const formatCount = groupedByThree

/** '1 person', '12 people'. */
export const peopleText = (count: number): string => `${formatCount(count)} ${count === 1 ? 'person' : 'people'}`

/** The states are recorded names. 'skipped' waits in the inbox without a push. */
export const stateLabels: Readonly<Record<DeliveryState, string>> = {
  live: 'Live',
  pushed: 'Pushed',
  pending: 'Pending',
  skipped: 'In inbox',
  failed: 'Failed',
  cancelled: 'Canceled',
}

/** '3 in inbox', for a sentence. */
export const countOfState = (state: DeliveryState, count: number): string =>
  `${formatCount(count)} ${stateLabels[state].toLowerCase()}`

/** '12 held until Nov 22, 7:00 AM', for pending recipients whose push waits. */
export const postponedText = ({ postponed = 0, postponedUntil }: CampaignProgress): string | undefined => {
  if (postponed === 0 || postponedUntil === undefined) return undefined
  const until = new Date(postponedUntil)
  return `${formatCount(postponed)} held until ${monthDay(until)}, ${clockTime(until)}`
}

/** 'Delivering to inboxes: 34,500 of 120,000', while recipients of a large campaign do not have it yet. */
export const distributionText = ({ distributed, targeted }: CampaignProgress): string | undefined =>
  distributed !== undefined && distributed < targeted
    ? `Delivering to inboxes: ${formatCount(distributed)} of ${formatCount(targeted)}`
    : undefined

export const withdrawnText = ({ recalled = 0, targeted }: CampaignProgress): string =>
  `Withdrawn from ${formatCount(recalled)} of ${formatCount(targeted)} inboxes`

/** '3 told by email', beside the states; undefined if there are none. */
export const emailedText = ({ emailed = 0 }: CampaignProgress): string | undefined =>
  emailed > 0 ? `${formatCount(emailed)} told by email` : undefined

/** '12 followed the button', beside the reads; undefined if there are none. */
export const clickedText = ({ clicked = 0 }: CampaignProgress): string | undefined =>
  clicked > 0 ? `${formatCount(clicked)} followed the button` : undefined

/** The bar as a text for screen readers. */
export const describeProgress = (progress: CampaignProgress): string => {
  const parts = deliveryStates
    .filter((state) => progress[state] > 0)
    .map((state) => countOfState(state, progress[state]))
  const reach = progress.targeted === 1 ? '1 recipient' : `${formatCount(progress.targeted)} recipients`
  const read = `${formatCount(progress.read)} read`
  const beside = [postponedText(progress), emailedText(progress), read, clickedText(progress)]
  return `${reach}: ${[...parts, ...beside.filter((text) => text !== undefined)].join(', ')}`
}
