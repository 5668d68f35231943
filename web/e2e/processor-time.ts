import type { RunnerResult } from 'lighthouse'
import TraceProcessor from 'lighthouse/core/lib/lh-trace-processor.js'
import { getLogNormalScore } from 'lighthouse/shared/statistics.js'
import { z } from 'zod'

/** Of a trace after `processTrace`. */
const traceSchema = z.object({ mainThreadEvents: z.array(z.unknown()) })
const navigationSchema = z.object({ timestamps: z.object({ firstContentfulPaint: z.number() }) })

/** A task of the main thread, in µs: `dur` by the clock, `tdur` of it on a processor. */
const taskSchema = z.object({
  name: z.string().endsWith('RunTask'),
  ts: z.number(),
  dur: z.number(),
  tdur: z.number(),
})

/** How much longer than 50 ms tasks take, in µs, on a phone that is four times as slow as this machine. */
const blockingUs = (durations: readonly number[]): number =>
  durations.reduce((sum, duration) => sum + Math.max(0, 4 * duration - 50_000), 0)

/** The part of the blocking time after the first paint that the page itself caused, from 0 to 1. */
const ownShare = ({ artifacts }: RunnerResult): number => {
  const processed = TraceProcessor.processTrace(artifacts.Trace)
  const { firstContentfulPaint } = navigationSchema.parse(TraceProcessor.processNavigation(processed)).timestamps
  const tasks = traceSchema
    .parse(processed)
    .mainThreadEvents.flatMap((event) => taskSchema.safeParse(event).data ?? [])
    .filter(({ ts }) => ts > firstContentfulPaint)
  if (tasks.length === 0) throw new Error('The trace has no task')
  const blocked = blockingUs(tasks.map(({ dur }) => dur))
  return blocked === 0 ? 1 : Math.min(1, blockingUs(tasks.map(({ tdur }) => tdur)) / blocked)
}

/**
 * The performance score as if no task had waited for a processor, from 0 to 1. Lighthouse measures tasks by the clock, although
 * the browser, Lighthouse itself and the portal share the machine: on two cores, most of the blocking time is waiting.
 */
export const scoreWithoutWaiting = (result: RunnerResult): number => {
  const { audits, categories } = result.lhr
  const performance = categories['performance']
  const { numericValue: blockingMs, scoringOptions } = audits['total-blocking-time'] ?? {}
  const weights = performance?.auditRefs ?? []
  const weight = weights.find(({ id }) => id === 'total-blocking-time')?.weight
  if (!performance?.score || !weight || blockingMs === undefined || !scoringOptions)
    throw new Error('Lighthouse has not scored the blocking time')
  const score = (ms: number) => getLogNormalScore(scoringOptions, ms)
  const gain = score(blockingMs * ownShare(result)) - score(blockingMs)
  return performance.score + (gain * weight) / weights.reduce((sum, ref) => sum + ref.weight, 0)
}
