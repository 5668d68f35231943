import { afterEach } from 'vitest'

// Test files share a worker, and so a window: a session or a scroll position that one leaves would show in the next.
// Tests of the build run without a window.
if (typeof window !== 'undefined') {
  const { configure } = await import('@testing-library/react')
  const { endSession } = await import('../lib/session.ts')
  // A busy machine is no fault of a test's.
  configure({ asyncUtilTimeout: 20_000 })
  afterEach(() => {
    endSession('logged-out')
    localStorage.clear()
    sessionStorage.clear()
    window.scrollTo(0, 0)
  })
}
