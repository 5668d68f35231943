import { getProfile } from '@portal/contracts/auth/http'
import { attendance } from '../../lib/attendance.ts'
import { call } from '../../lib/http.ts'

const absentAfterMs = 2 * 60_000
/** Shorter than the shortest time after which a portal may end an unused session, but for settings of a few minutes. */
const tellAfterMs = 4 * 60_000

const inputs = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const
const inputOptions = { capture: true, passive: true }

const isWithin = (sinceMs: number, ms: number): boolean => Math.abs(Date.now() - sinceMs) < ms

/** Tells the server that somebody is at the page, who may type or read for an hour without a call. Returns how to stop. */
export const keepSessionUsed = (): (() => void) => {
  let lastInputMs = Date.now()
  let lastUseMs = Date.now()
  const original = { ...attendance }
  attendance.isAttended = () => isWithin(lastInputMs, absentAfterMs)
  attendance.sessionIsUsed = () => {
    lastUseMs = Date.now()
  }
  const onInput = () => {
    lastInputMs = Date.now()
    if (isWithin(lastUseMs, tellAfterMs)) return
    // A failure is no matter: another input tells it again. A 401 ends the session here, too.
    void call(getProfile, {})
  }
  for (const input of inputs) window.addEventListener(input, onInput, inputOptions)
  return () => {
    for (const input of inputs) window.removeEventListener(input, onInput, inputOptions)
    Object.assign(attendance, original)
  }
}
