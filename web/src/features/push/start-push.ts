import { closeAllShown } from './close-shown.ts'
import { listenToPushWorker, track } from './foreground.ts'
import { currentSession, sessionState } from '../../lib/session.ts'
import { removeOpenedParameter } from './opened-parameter.ts'
import { removePushToken, loadFirebase, setUpPush, type PushProvider } from './set-up-push.ts'
import { isTurnedOff } from './turned-off.ts'

type StartPush = {
  /** The token of the new session. */
  readonly sessionToken: string
  readonly openPage: (path: string, options?: { readonly replace: true }) => void
  readonly loadProvider?: () => Promise<PushProvider>
  readonly now?: () => number
}

/** Removes the shown pushes and the token: the next person at this device may be another one. */
const cleanUp = async (loadProvider: () => Promise<PushProvider>): Promise<void> => {
  try {
    await Promise.all([closeAllShown(), removePushToken(loadProvider)])
  } finally {
    // Until then, one may have arrived.
    if (!currentSession()) await closeAllShown()
  }
}

const logFailure = (work: Promise<void>): void => {
  work.catch((error: unknown) => console.warn('Shown pushes or their token could not be removed', error))
}

/** Starts push for a session. Returns a function that stops it and, after a logout, leaves nothing of its user on the screen. */
export const startPush = (options: StartPush): (() => void) => {
  const { sessionToken, openPage, loadProvider = loadFirebase, now = Date.now } = options
  const isCurrent = () => currentSession()?.token === sessionToken
  const setUp = () => {
    if (isTurnedOff()) return
    // The failure is already logged, and the next start sends the token again.
    setUpPush({ loadProvider, now, isCurrent }).catch(() => undefined)
  }

  const cleanUpAfterLogout = () => {
    if (currentSession()) return
    logFailure(cleanUp(loadProvider))
  }
  // The session may have ended while this file was loading. Requests would then fail with its token.
  if (!isCurrent()) return cleanUpAfterLogout

  const openedUrl = removeOpenedParameter(window.location)
  if (openedUrl !== null) {
    track({ event: 'notification_open', url: openedUrl })
    openPage(openedUrl, { replace: true })
  }
  const state = sessionState()
  // A push that was under way as the session before this one ended.
  if (state.kind === 'signed-in' && state.startedHere) logFailure(closeAllShown())
  const stopListening = listenToPushWorker({ openPage, renew: setUp })
  setUp()

  return () => {
    stopListening()
    cleanUpAfterLogout()
  }
}
