import { randomBytes, randomInt } from 'node:crypto'
import { v7 } from 'uuid'

/** Where time, ids and randomness come from; handed to whoever builds commands, so that tests can choose them. */
export type ClockAndIds = {
  now(): Date
  /** Milliseconds on a clock that only goes forward: for waits, which a corrected clock must not change. */
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
