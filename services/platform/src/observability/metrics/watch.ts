import type { Feed } from '../../bus/feed.ts'
import { countParked } from '../../projection/count-parked.ts'
import type { RunningProjection } from '../../projection/run-projection.ts'
import type { ReadModel } from '../../read-model/port.ts'
import type { Health } from '../../runtime/health.ts'
import type { Metrics } from './metrics.ts'

/**
 * Figures that parts of a process keep anyway, fetched from them at each scrape: it costs nothing in between. Each answers how to
 * stop.
 */
type Stop = () => void

/** Adds to a counter what a sum that is kept elsewhere has grown by. */
const following = (counter: { inc(by: number): void }): ((sum: number) => void) => {
  let before = 0
  return (sum) => {
    counter.inc(Math.max(0, sum - before))
    before = sum
  }
}

const outcomes = ['applied', 'known', 'parked'] as const

export const watchProjection = (
  metrics: Pick<Metrics, 'projections' | 'beforeScrape'>,
  projection: string,
  running: Pick<RunningProjection, 'counts'>,
  readModel: Pick<ReadModel, 'range' | 'getMany'>,
): Stop => {
  const { messages, parked } = metrics.projections
  const followers = outcomes.map((outcome) => ({
    outcome,
    follow: following(messages.labels({ projection, outcome })),
  }))
  return metrics.beforeScrape(async () => {
    const counts = running.counts()
    for (const { outcome, follow } of followers) follow(counts[outcome])
    parked.set({ projection }, await countParked(readModel, projection))
  })
}

/** Leading or not; what it publishes it counts itself, by `feedCounters`. */
export const watchFeed = (
  { feed: { leading }, beforeScrape }: Pick<Metrics, 'feed' | 'beforeScrape'>,
  service: string,
  feed: Pick<Feed, 'isLeading'>,
): Stop => {
  const stop = beforeScrape(() => leading.set({ service }, feed.isLeading() ? 1 : 0))
  return () => {
    stop()
    leading.set({ service }, 0)
  }
}

/** What a feed calls while it runs. */
export type FeedCounters = { published(messages: number): void; failed(): void }

export const feedCounters = ({ feed }: Pick<Metrics, 'feed'>, service: string): FeedCounters => {
  const published = feed.published.labels({ service })
  const failed = feed.failed.labels({ service })
  return { published: (messages) => published.inc(messages), failed: () => failed.inc() }
}

export type SocketFigures = {
  readonly sockets: number
  readonly users: number
  /** These three since the start. */
  readonly malformed: number
  readonly floods: number
  readonly stuck: number
}

export const watchSockets = (
  { sockets: { connected, users, ...sums }, beforeScrape }: Pick<Metrics, 'sockets' | 'beforeScrape'>,
  figures: () => SocketFigures,
): Stop => {
  const [malformed, floods, stuck] = [following(sums.malformed), following(sums.floods), following(sums.stuck)]
  return beforeScrape(() => {
    const now = figures()
    connected.set(now.sockets)
    users.set(now.users)
    malformed(now.malformed)
    floods(now.floods)
    stuck(now.stuck)
  })
}

export const watchPasswords = (
  { passwords, beforeScrape }: Pick<Metrics, 'passwords' | 'beforeScrape'>,
  load: () => { readonly waiting: number; readonly underWay: number },
): Stop =>
  beforeScrape(() => {
    const { waiting, underWay } = load()
    passwords.waiting.set(waiting)
    passwords.underWay.set(underWay)
  })

export const watchHealth = (
  { health: { partUp }, beforeScrape }: Pick<Metrics, 'health' | 'beforeScrape'>,
  health: Health,
): Stop =>
  beforeScrape(async () => {
    const { parts } = await health.report()
    for (const [part, state] of Object.entries(parts)) partUp.set({ part }, state === 'ok' ? 1 : 0)
  })
