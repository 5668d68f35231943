import type { Logger } from 'pino'
import { type Polling, startPolling } from '../async/polling.ts'
import type { Timers } from '../async/timers.ts'
import type { ClockAndIds } from '../decider/clock-and-ids.ts'

const pollEveryMs = 1_000
/** Shorter pauses and corrections happen on every machine. */
const notableMs = 5_000

/** The same moment on the clock of the machine, and on one that only runs while the process could. */
type Moment = { readonly wallMs: number; readonly elapsedMs: number }

type Line = { readonly text: string; readonly fields: Readonly<Record<string, number>> }

/** One line for a pause of the process and one for a jump of the clock between two moments that should be a poll apart. */
export const linesBetween = (before: Moment, after: Moment): readonly Line[] => {
  const elapsedMs = after.elapsedMs - before.elapsedMs
  const pausedMs = elapsedMs - pollEveryMs
  const jumpMs = after.wallMs - before.wallMs - elapsedMs
  return [
    ...(pausedMs >= notableMs ? [{ text: 'the process did not run', fields: { pausedMs: Math.round(pausedMs) } }] : []),
    ...(jumpMs >= notableMs
      ? [{ text: 'the clock of this machine went forward, or it slept', fields: { jumpMs: Math.round(jumpMs) } }]
      : []),
    ...(jumpMs <= -notableMs
      ? [{ text: 'the clock of this machine went back', fields: { jumpMs: Math.round(jumpMs) } }]
      : []),
  ]
}

type WatchClockOptions = {
  readonly clockAndIds: Pick<ClockAndIds, 'now' | 'elapsedMs'>
  readonly logger: Pick<Logger, 'warn'>
  readonly timers?: Timers
}

/** Logs when the process was stopped, and when the clock was set: both explain what else the log shows of that time. */
export const watchClock = ({ clockAndIds, logger, timers }: WatchClockOptions): Polling => {
  const momentNow = (): Moment => ({ wallMs: clockAndIds.now().getTime(), elapsedMs: clockAndIds.elapsedMs() })
  let last = momentNow()
  const look = async () => {
    const moment = momentNow()
    for (const { text, fields } of linesBetween(last, moment)) logger.warn(fields, text)
    last = moment
  }
  return startPolling(look, { everyMs: pollEveryMs, ...(timers && { timers }) })
}
