/**
 * Whether somebody is at this page. The server ends sessions that nobody uses; an open page also makes calls by itself, which must not keep
 * its session alive.
 */
const absentAfterMs = 2 * 60_000

const events = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const

/** Opening the page is a use. */
let lastInputMs = Date.now()
let lastUseMs = Date.now()

// The build renders pages without a browser (build/render-page.tsx).
if (typeof window !== 'undefined')
  for (const event of events)
    window.addEventListener(event, () => (lastInputMs = Date.now()), { capture: true, passive: true })

const isWithin = (sinceMs: number, ms: number): boolean => Math.abs(Date.now() - sinceMs) < ms

export const isAttended = (): boolean => isWithin(lastInputMs, absentAfterMs)

/** A call that counts as a use of the session is made. */
export const sessionIsUsed = (): void => {
  lastUseMs = Date.now()
}

export const isSessionUsedWithin = (ms: number): boolean => isWithin(lastUseMs, ms)

/** Calls `act` at each input. */
export const onInput = (act: () => void): (() => void) => {
  const options = { capture: true, passive: true }
  for (const event of events) window.addEventListener(event, act, options)
  return () => {
    for (const event of events) window.removeEventListener(event, act, options)
  }
}
