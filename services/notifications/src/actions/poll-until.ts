import { setTimeout as sleep } from 'node:timers/promises'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'

const pollMs = 50

type Limit = { readonly elapsedMs: ClockAndIds['elapsedMs']; readonly timeoutMs: number }

/** Reads until the value is complete or the time is over. Returns the last value. */
export const pollUntil = async <T>(
  isComplete: (value: T) => boolean,
  read: () => Promise<T>,
  { elapsedMs, timeoutMs }: Limit,
): Promise<T> => {
  const startMs = elapsedMs()
  for (;;) {
    const value = await read()
    if (isComplete(value) || elapsedMs() - startMs >= timeoutMs) return value
    await sleep(pollMs)
  }
}
