import { logOut } from '@portal/contracts/auth/http'
import { call } from './http.ts'
import { currentSession } from './session.ts'
import { readStored, removeStored, storageKeys, writeStored } from './storage.ts'

/**
 * Ends the session on the server. Until the server has answered, the log-out is due: the cookie of the session is one that this page
 * cannot remove.
 */
export const logOutOnServer = async (): Promise<void> => {
  writeStored(storageKeys.logOutDue, 'true')
  const answer = await call(logOut, {})
  if (answer.success || answer.code === 'unauthenticated') {
    removeStored(storageKeys.logOutDue)
    return
  }
  console.warn('The server did not end the session', answer.message)
  window.addEventListener('online', repeatWhenOnline)
}

/** Repeats a log-out that did not reach the server. The cookie says whose; after another log-in it belongs to another session. */
export const repeatLogOut = async (): Promise<void> => {
  if (readStored(storageKeys.logOutDue) !== null && currentSession() === null) await logOutOnServer()
}

const repeatWhenOnline = () => void repeatLogOut()
