import { performance } from 'node:perf_hooks'
import type { Progress } from '@portal/platform/generations/replay'
import { counted, duration } from '../output/format.ts'

/** People read a line that changes; programs and log files get one now and then. */
const everyMs = { terminal: 100, otherwise: 2_000 } as const

type Reading = Extract<Progress, { readonly step: 'reading' }>

export type ReadingProgress = {
  readonly step: 'reading'
  readonly events: number
  readonly eventsPerSecond: number
  /** From 0 to 1, where positions are numbers of a kind. */
  readonly share?: number
  readonly leftMs?: number
}

/** Positions order as text, in one width; where they begin with digits these tell about how far it is. */
const numberOf = (place: string): number => Number(/^\d+/.exec(place)?.[0] ?? Number.NaN)

export const readingProgress = ({ events, place, until }: Reading, elapsedMs: number): ReadingProgress => {
  const share = Math.min(1, numberOf(place) / numberOf(until))
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

type Output = { readonly isTTY?: boolean; write(text: string): unknown }

/** Tells of progress at a bounded rate: JSON lines for programs, else on a terminal one line that is written over. */
export const reportProgress = (output: Output, isForPrograms: boolean) => {
  const isTerminal = output.isTTY === true && !isForPrograms
  const pauseMs = isTerminal ? everyMs.terminal : everyMs.otherwise
  let begunMs: number | undefined
  let lastMs = Number.NEGATIVE_INFINITY
  let isLineOpen = false

  const show = (text: string, data: object, replaces: boolean) => {
    if (isForPrograms) output.write(`${JSON.stringify(data)}\n`)
    else if (isTerminal) {
      output.write(`\r\u001b[2K${text}${replaces ? '' : '\n'}`)
      isLineOpen = replaces
    } else output.write(`${text}\n`)
  }

  return {
    onProgress(progress: Progress): void {
      if (progress.step !== 'reading') return show(`… ${progress.step}`, progress, true)
      const nowMs = performance.now()
      begunMs ??= nowMs
      if (nowMs - lastMs < pauseMs) return
      lastMs = nowMs
      const reading = readingProgress(progress, nowMs - begunMs)
      show(`… ${readingText(reading)}`, reading, true)
    },
    /** Leaves the terminal as it was. */
    end(): void {
      if (isLineOpen) output.write('\r\u001b[2K')
      isLineOpen = false
    },
  }
}
