import { performance } from 'node:perf_hooks'
import type { Progress } from '@portal/platform/generations/replay'
import { counted, duration } from '../output/format.ts'
import { progressOutput } from '../output/report-steps.ts'

type Reading = Extract<Progress, { readonly step: 'reading' }>

type ReadingProgress = {
  readonly step: 'reading'
  readonly events: number
  readonly eventsPerSecond: number
  /** Share of the log that is read, from 0 to 1, if positions begin with a number. */
  readonly share?: number
  readonly leftMs?: number
}

/** The leading digits of a position, as an estimate of the progress. */
const numberOf = (position: string): number => Number(/^\d+/.exec(position)?.[0] ?? Number.NaN)

export const readingProgress = ({ events, position, until }: Reading, elapsedMs: number): ReadingProgress => {
  const share = Math.min(1, numberOf(position) / numberOf(until))
  return {
    step: 'reading',
    events,
    eventsPerSecond: Math.round((events / Math.max(elapsedMs, 1)) * 1_000),
    ...(share > 0 && { share, leftMs: Math.round((elapsedMs * (1 - share)) / share) }),
  }
}

const readingText = ({ events, eventsPerSecond, share, leftMs }: ReadingProgress): string => {
  const known =
    share === undefined || leftMs === undefined ? '' : `${Math.floor(share * 100)} %, ${duration(leftMs)} left, `
  return `${known}${counted(events, 'event')}, ${eventsPerSecond}/s`
}

/** Shows reading progress at a limited rate, and each other step at once. */
export const reportProgress = (output: Parameters<typeof progressOutput>[0], asJson: boolean) => {
  const { pauseMs, show, end } = progressOutput(output, asJson)
  let startedAtMs: number | undefined
  let lastMs = Number.NEGATIVE_INFINITY

  return {
    onProgress(progress: Progress): void {
      if (progress.step !== 'reading') return show(progress, progress.step)
      const nowMs = performance.now()
      startedAtMs ??= nowMs
      if (nowMs - lastMs < pauseMs) return
      lastMs = nowMs
      const reading = readingProgress(progress, nowMs - startedAtMs)
      show(reading, readingText(reading))
    },
    end,
  }
}
