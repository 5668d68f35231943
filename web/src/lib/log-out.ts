import { logOut } from '@portal/contracts/auth/http'
import { call } from './http.ts'
import { finishPendingWork } from './pending-work.ts'
import { currentSession } from './session.ts'
import { readStored, removeStored, storageKeys, writeStored } from './storage.ts'

/**
 * Ends the session on the server. The logout stays due until the server has responded, because only the server can remove the
 * session cookie.
 */
export const logOutOnServer = async (): Promise<void> => {
  writeStored(storageKeys.logOutDue, 'true')
  // It needs the session that ends here.
  await finishPendingWork()
  // Another login has replaced the session cookie meanwhile.
  if (readStored(storageKeys.logOutDue) === null) return
  const answer = await call(logOut, {})
  if (answer.success || answer.code === 'unauthenticated') {
    removeStored(storageKeys.logOutDue)
    return
  }
  console.warn('logout failed on the server, repeating it when online', answer.message)
  window.addEventListener('online', repeatWhenOnline, { once: true })
}

/** Repeats a logout that did not reach the server, unless another login has replaced the session cookie. */
export const repeatLogOut = async (): Promise<void> => {
  if (readStored(storageKeys.logOutDue) !== null && currentSession() === null) await logOutOnServer()
}

const repeatWhenOnline = () => void repeatLogOut()
