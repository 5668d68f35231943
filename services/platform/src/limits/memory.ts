import { createLimiters } from './limiters.ts'
import { memoryCountersByName } from './memory-counters.ts'
import type { AttemptLimiters } from './port.ts'

export type MemoryLimitersOptions = {
  /** Milliseconds on a clock that never goes back. */
  readonly elapsedMs: () => number
  readonly keysRemembered?: number | undefined
  readonly onRefused?: ((name: string) => void) | undefined
}

/** Limits of a portal that is one process. */
export const createMemoryLimiters = ({
  elapsedMs,
  keysRemembered,
  onRefused,
}: MemoryLimitersOptions): AttemptLimiters =>
  createLimiters({ counters: memoryCountersByName(elapsedMs, keysRemembered), onRefused })
