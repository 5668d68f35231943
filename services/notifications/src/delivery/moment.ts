import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'

/** One look at the clocks, in milliseconds since 1970. */
export type Moment = {
  /** The machine's clock, which can be corrected by any amount. */
  readonly wallMs: number
  /** The machine's clock as it was at the start, and what has elapsed since: it only goes forward. */
  readonly steadyMs: number
}

export const createMoments = ({ now, elapsedMs }: Pick<ClockAndIds, 'now' | 'elapsedMs'>): (() => Moment) => {
  const startMs = now().getTime() - elapsedMs()
  return () => ({ wallMs: now().getTime(), steadyMs: startMs + elapsedMs() })
}
