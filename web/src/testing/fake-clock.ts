import { act } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { vi } from 'vitest'
import { fill } from './fill.ts'

/**
 * Fake timers. Testing Library detects fake timers by a global `jest` and would otherwise wait forever, so this stubs it.
 */
export const fakeClock = (at = '2026-11-21T10:00:00.000Z') => {
  vi.useFakeTimers({ now: new Date(at) })
  vi.stubGlobal('jest', { advanceTimersByTime: (ms: number) => vi.advanceTimersByTime(ms) })
  const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) })
  return {
    user,
    advance,
    /** Replaces the text of a field in one step. */
    fill: (field: HTMLElement, text: string) => fill(user, field, text),
    /** Runs pending promises and timers without advancing the clock. */
    flush: async () => {
      await advance(0)
      // The first round may schedule more, such as moving the focus.
      await advance(0)
    },
  }
}
