import { loadLastBackup } from '../../backup/last-backup.ts'
import type { Feed } from '../../bus/feed.ts'
import type { Publisher } from '../../bus/publisher.ts'
import type { Continuity } from '../../discontinuity/continuity.ts'
import { countDeadLetters } from '../../projection/dead-letters.ts'
import type { RunningProjection } from '../../generations/run-projection.ts'
import type { ReadStore } from '../../read-model/port.ts'
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
  readModel: ReadStore,
): Stop => {
  const { messages, parked } = metrics.projections
  const followers = outcomes.map((outcome) => ({
    outcome,
    follow: following(messages.labels({ projection, outcome })),
  }))
  return metrics.beforeScrape(async () => {
    const counts = running.counts()
    for (const { outcome, follow } of followers) follow(counts[outcome])
    parked.set({ projection }, await countDeadLetters(readModel, projection))
  })
}

/** Whether it leads, and whether it gets on; what it publishes is counted by `countPublished`. */
export const watchFeed = (
  { feed: { leading, failing }, beforeScrape }: Pick<Metrics, 'feed' | 'beforeScrape'>,
  service: string,
  feed: Pick<Feed, 'isLeading' | 'check'>,
): Stop => {
  const stop = beforeScrape(async () => {
    leading.set({ service }, feed.isLeading() ? 1 : 0)
    failing.set(
      { service },
      await feed.check().then(
        () => 0,
        () => 1,
      ),
    )
  })
  return () => {
    stop()
    leading.set({ service }, 0)
    failing.set({ service }, 0)
  }
}

/** The same publishers, with the messages counted that a feed makes of events. What it tries again counts again. */
export const countPublished = (
  publishers: readonly Publisher[],
  { feed }: Pick<Metrics, 'feed'>,
  service: string,
): readonly Publisher[] => {
  const published = feed.published.labels({ service })
  return publishers.map((publisher) => ({
    ...publisher,
    publish: (recorded) => {
      const messages = publisher.publish(recorded)
      published.inc(messages.length)
      return messages
    },
  }))
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

export const watchDiscontinuities = (
  { discontinuities, beforeScrape }: Pick<Metrics, 'discontinuities' | 'beforeScrape'>,
  { open }: Pick<Continuity, 'open'>,
): Stop =>
  beforeScrape(() => {
    discontinuities.reset()
    for (const { consumer, cause } of open()) discontinuities.set({ consumer, cause }, 1)
  })

/** As the backup recorded it in the read models; unchanged while they cannot be read. */
export const watchLastBackup = (
  { lastGoodBackup, beforeScrape }: Pick<Metrics, 'lastGoodBackup' | 'beforeScrape'>,
  control: ReadStore,
): Stop =>
  beforeScrape(async () => {
    const last = await loadLastBackup(control)
    lastGoodBackup.set(last === undefined || last.check?.isGood === false ? 0 : Date.parse(last.madeAt) / 1_000)
  })
