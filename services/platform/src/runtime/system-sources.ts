import { randomBytes, randomInt } from 'node:crypto'
import { v7 } from 'uuid'
import type { Sources } from './sources.ts'

/** The machine's clock and randomness. */
export const systemSources: Sources = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
  newId: () => v7(),
  newCode: () => String(randomInt(1_000_000)).padStart(6, '0'),
  newSecret: () => randomBytes(32).toString('base64url'),
}
