import { afterAll, afterEach, vi } from 'vitest'

/**
 * After vi.resetModules, modules are evaluated again and add their window listeners a second time. Without this, the old copies would
 * keep handling events, even in the tests of later files.
 */
const removeListenersWithModules = (): void => {
  const { resetModules } = vi
  const addListener = window.addEventListener.bind(window)
  const added: [type: string, listener: EventListenerOrEventListenerObject][] = []
  window.addEventListener = (
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ) => {
    added.push([type, listener])
    addListener(type, listener, options)
  }
  vi.resetModules = () => {
    for (const [type, listener] of added.splice(0)) window.removeEventListener(type, listener)
    return resetModules()
  }
}

// Test files share a worker, and so a window: a session, a scroll position or a server's time that one leaves would show in the next.
// Tests of the build run without a window.
if (typeof window !== 'undefined') {
  // Once for each window.
  if (!('removesListeners' in window)) removeListenersWithModules()
  Object.assign(window, { removesListeners: true })
  const { configure } = await import('@testing-library/react')
  const { default: React } = await import('react')
  const { learnServerTime } = await import('../lib/server-clock.ts')
  const { endSession } = await import('../lib/session.ts')
  // A busy machine is no fault of a test's.
  configure({ asyncUtilTimeout: 20_000 })
  // React's development build records the stack of each element, which took a sixth of the time of all page tests. It stops
  // after this many within a second.
  const internals: unknown = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE')
  if (typeof internals === 'object' && internals !== null) {
    Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set: () => {} })
  }
  afterEach(() => {
    endSession('logged-out')
    // A faked server may have had another time.
    learnServerTime(new Date().toUTCString(), Date.now())
    localStorage.clear()
    sessionStorage.clear()
    window.scrollTo(0, 0)
  })
  // A page may still load a part of itself when its test ends, which fails once the worker has ended.
  afterAll(() => vi.dynamicImportSettled())
}
