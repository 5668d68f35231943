import { getProfile } from '@portal/contracts/auth/http'
import { isSessionUsedWithin, onInput } from '../../lib/attendance.ts'
import { call } from '../../lib/http.ts'

/** Shorter than the shortest time after which a portal may end an unused session, but for settings of a few minutes. */
const tellAfterMs = 4 * 60_000

/** Tells the server that somebody is at the page, who may type or read for an hour without a call. Returns how to stop. */
export const keepSessionUsed = (): (() => void) =>
  onInput(() => {
    if (isSessionUsedWithin(tellAfterMs)) return
    // A failure is no matter: another input tells it again. A 401 ends the session here, too.
    void call(getProfile, {})
  })
