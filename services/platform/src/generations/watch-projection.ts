import type { Metrics } from '../observability/metrics/metrics.ts'
import { growthCounter } from '../observability/metrics/watch.ts'
import type { ReadStore } from '../read-model/port.ts'
import { countDeadLetters } from '../projection/dead-letters.ts'
import type { RunningProjection } from './run-projection.ts'

/** The labels keep their recorded names. */
const outcomeLabels = { applied: 'applied', known: 'known', deadLettered: 'parked' } as const
const outcomes = ['applied', 'known', 'deadLettered'] as const

/** Reads the counters of a running projection at each scrape. Returns a function that stops it. */
export const watchProjection = (
  metrics: Pick<Metrics, 'projections' | 'beforeScrape'>,
  projection: string,
  running: Pick<RunningProjection, 'counts'>,
  readModel: ReadStore,
): (() => void) => {
  const { messages, deadLetters } = metrics.projections
  const followers = outcomes.map((outcome) => ({
    outcome,
    follow: growthCounter(messages.labels({ projection, outcome: outcomeLabels[outcome] })),
  }))
  return metrics.beforeScrape(async () => {
    const counts = running.counts()
    for (const { outcome, follow } of followers) follow(counts[outcome])
    deadLetters.set({ projection }, await countDeadLetters(readModel, projection))
  })
}
