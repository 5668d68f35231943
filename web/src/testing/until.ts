import { vi } from 'vitest'

/** Does what `until` of platform/testing does, which the client may not import. */
export const until = <T>(assertion: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(assertion, { timeout: 20_000, interval: 5 })
