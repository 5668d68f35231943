import { statfs } from 'node:fs/promises'
import type { LogPublisher, Publisher } from '../../bus/publisher.ts'
import type { Continuity } from '../../discontinuity/continuity.ts'
import type { Health } from '../health.ts'
import type { Metrics } from './metrics.ts'

/** Gauges are read at scrape time only. Each `watch` function returns a function that stops it. */
type Stop = () => void

/** Increments a counter by the growth of a total that is kept elsewhere. */
export const growthCounter = (counter: { inc(by: number): void }): ((sum: number) => void) => {
  let previous = 0
  return (sum) => {
    counter.inc(Math.max(0, sum - previous))
    previous = sum
  }
}

/** Whether the log publisher leads and whether it fails. `countPublished` counts its messages. */
export const watchLogPublisher = (
  { logPublisher: { leading, failing }, beforeScrape }: Pick<Metrics, 'logPublisher' | 'beforeScrape'>,
  service: string,
  feed: Pick<LogPublisher, 'isLeading' | 'check'>,
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

/** Counts the messages that the publishers produce. A retry counts again. */
export const countPublished = (
  publishers: readonly Publisher[],
  { logPublisher: feed }: Pick<Metrics, 'logPublisher'>,
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

type SocketStats = {
  readonly sockets: number
  readonly users: number
  /** This and the next two: since the start. */
  readonly malformed: number
  readonly floods: number
  readonly stuck: number
}

export const watchSockets = (
  { sockets: { connected, users, ...sums }, beforeScrape }: Pick<Metrics, 'sockets' | 'beforeScrape'>,
  stats: () => SocketStats,
): Stop => {
  const [malformed, floods, stuck] = [
    growthCounter(sums.malformed),
    growthCounter(sums.floods),
    growthCounter(sums.stuck),
  ]
  return beforeScrape(() => {
    const now = stats()
    connected.set(now.sockets)
    users.set(now.users)
    malformed(now.malformed)
    floods(now.floods)
    stuck(now.stuck)
  })
}

export const watchPasswords = (
  { passwords, beforeScrape }: Pick<Metrics, 'passwords' | 'beforeScrape'>,
  load: () => { readonly waiting: number; readonly inProgress: number },
): Stop =>
  beforeScrape(() => {
    const { waiting, inProgress } = load()
    passwords.waiting.set(waiting)
    passwords.inProgress.set(inProgress)
  })

export const watchDisk = (
  { disk: { free }, beforeScrape }: Pick<Metrics, 'disk' | 'beforeScrape'>,
  folder: string,
): Stop =>
  beforeScrape(async () => {
    const { bavail, bsize } = await statfs(folder)
    free.set(bavail * bsize)
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
