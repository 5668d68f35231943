import { currentSession } from '../../lib/session.ts'
import { readStored, removeStored, writeStored } from '../../lib/storage.ts'

/** Another user of this browser has not turned anything off. */
const currentUser = (): string | undefined => currentSession()?.user._id

/** Whether the signed-in user has turned push off in this browser. It then stays off at the next start. */
export const isTurnedOff = (): boolean => {
  const user = currentUser()
  return user !== undefined && readStored('push_off') === user
}

export const rememberTurnedOff = (): void => {
  const user = currentUser()
  if (user !== undefined) writeStored('push_off', user)
}

export const forgetTurnedOff = (): void => removeStored('push_off')
