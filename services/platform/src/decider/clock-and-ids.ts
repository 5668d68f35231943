import { randomBytes, randomInt } from 'node:crypto'
import { v7 } from 'uuid'

/** The source of time, ids and randomness. Code that builds commands receives it, so that tests can replace it. */
export type ClockAndIds = {
  now(): Date
  /** Milliseconds on a monotonic clock, for waits that a corrected system clock must not change. */
  elapsedMs(): number
  /** A new UUID, version 7. */
  newId(): string
  /** A code of six decimal digits from a cryptographic source. */
  newCode(): string
  /** 32 bytes from a cryptographic source, in base64url. */
  newSecret(): string
}

/** The machine's clock and randomness. */
export const systemClockAndIds: ClockAndIds = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
  newId: () => v7(),
  newCode: () => String(randomInt(1_000_000)).padStart(6, '0'),
  newSecret: () => randomBytes(32).toString('base64url'),
}
