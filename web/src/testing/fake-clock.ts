import { act } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { vi } from 'vitest'

/**
 * A clock that moves only when a test moves it. Testing Library looks for `jest` to find out whether timers are faked, and
 * would wait for ever without.
 */
export const fakeClock = (at = '2026-11-21T10:00:00.000Z') => {
  vi.useFakeTimers({ now: new Date(at) })
  vi.stubGlobal('jest', { advanceTimersByTime: (ms: number) => vi.advanceTimersByTime(ms) })
  const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) })
  return {
    user,
    advance,
    /** Puts a text into a field in one go, in place of what stood there. */
    fill: async (field: HTMLElement, text: string) => {
      await user.clear(field)
      await user.click(field)
      await user.paste(text)
    },
    /** Lets what has been answered reach the screen, without moving the clock. */
    flush: async () => {
      await advance(0)
      // What the first round has drawn may ask for more: the focus, for one.
      await advance(0)
    },
  }
}
