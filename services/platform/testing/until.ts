import { expect, vi } from 'vitest'

/** Long enough for a busy machine. A passing test never waits for it. */
const limitMs = 20_000

/**
 * Polls an assertion until it holds, and returns its result. Throws its last error after 20 s, or after `timeoutMs`
 * where an engine needs longer.
 */
export const until = <T>(
  assertion: () => T | Promise<T>,
  { timeoutMs = limitMs }: { readonly timeoutMs?: number } = {},
): Promise<T> => vi.waitFor(assertion, { timeout: timeoutMs, interval: 5 })

/** Ends in a later millisecond: of two things that are recorded in the same one, neither is the first. */
export const nextMillisecond = async (): Promise<void> => {
  const before = Date.now()
  await until(() => expect(Date.now()).toBeGreaterThan(before))
}
