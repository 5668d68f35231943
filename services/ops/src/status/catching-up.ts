import { resultWithin } from '@portal/platform/async/timeout'
import { sleep, systemTimers, type Timers } from '@portal/platform/async/timers'
import type { ConsumerStatus } from './consumers-status.ts'
import { isLate, type Lag } from './lag.ts'
import type { LogPublisherStatus } from './log-publishers-status.ts'

/** Longer than consumers and log publishers take to save their progress. */
export const pauseMs = 1_200
const maxWatchedMs = 6_000
/** A consumer that needs longer is late, whatever its rate. */
const maxCatchUpMs = 15 * 60_000

/** The lags at one moment. The lists have the same order in each sample. */
export type Sample = {
  readonly logEnd: string
  readonly consumers: readonly ConsumerStatus[]
  readonly feeds: readonly LogPublisherStatus[]
}

type Behind = { readonly lag: Lag }

/**
 * The distance to the end of the log. Positions begin with a row number or a byte offset, depending on the event store, so only the ratio
 * of two distances has a meaning.
 */
const distanceToEnd = ({ oldest = '' }: Lag, logEnd: string): number =>
  Number.parseInt(logEnd, 10) - Number.parseInt(oldest, 10)

/** How long it takes to the end of the log at the rate between two samples; undefined if that is too long, or it came no closer. */
const timeLeftMs = (before: number, after: number, elapsedMs: number): number | undefined => {
  if (before <= after) return undefined
  const leftMs = (elapsedMs * after) / (before - after)
  return leftMs <= maxCatchUpMs ? leftMs : undefined
}

/** Adds the time left to those that are late and will soon be at the end of the log. */
const withTimeLeft = (first: Sample, latest: Sample, elapsedMs: number): Sample => {
  const estimate = <T extends Behind>(later: T, earlier: T | undefined): T => {
    if (!isLate(later.lag) || earlier === undefined) return later
    const [before, after] = [distanceToEnd(earlier.lag, first.logEnd), distanceToEnd(later.lag, latest.logEnd)]
    const leftMs = timeLeftMs(before, after, elapsedMs)
    return leftMs === undefined ? later : { ...later, lag: { ...later.lag, leftMs } }
  }
  return {
    ...latest,
    consumers: latest.consumers.map((one, index) => estimate(one, first.consumers[index])),
    feeds: latest.feeds.map((one, index) => estimate(one, first.feeds[index])),
  }
}

const isUndecided = ({ lag }: Behind): boolean =>
  isLate(lag) && lag.leftMs === undefined && lag.standsBefore === undefined

/**
 * Takes samples for some seconds, until each late consumer is seen to catch up. Only the first sample may take longer than `withinMs`;
 * a later one that is not complete by then is not used.
 */
export const watchLate = async (
  take: () => Promise<Sample>,
  withinMs: number,
  timers: Timers = systemTimers,
): Promise<Sample> => {
  const startedAtMs = timers.elapsedMs()
  const elapsedMs = () => timers.elapsedMs() - startedAtMs
  const first = await take()
  const endMs = Math.min(elapsedMs() + maxWatchedMs, withinMs)
  let latest = first
  while ([...latest.consumers, ...latest.feeds].some(isUndecided) && elapsedMs() < endMs) {
    await sleep(pauseMs, { timers })
    const takenAtMs = elapsedMs()
    const later = await resultWithin(take(), withinMs - takenAtMs, timers)
    if (later === undefined) break
    latest = withTimeLeft(first, later, takenAtMs)
  }
  return latest
}
