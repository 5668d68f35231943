import { listenToPushWorker, track } from './foreground.ts'
import { currentSession } from '../../lib/session.ts'
import { removeOpenedParameter } from './opened-parameter.ts'
import { removePushToken, loadFirebase, setUpPush, type PushProvider } from './set-up-push.ts'

export type StartPush = {
  /** Of the session that has begun. */
  readonly sessionToken: string
  readonly openPage: (path: string, options?: { readonly replace: true }) => void
  readonly loadProvider?: () => Promise<PushProvider>
  readonly now?: () => number
}

/** Push for as long as a session lasts. The function that it returns ends it; after a log-out the token goes, too. */
export const startPush = (options: StartPush): (() => void) => {
  const { sessionToken, openPage, loadProvider = loadFirebase, now = Date.now } = options
  const isCurrent = () => currentSession()?.token === sessionToken
  const setUp = () => {
    // What went wrong has been logged. The next start sends the token again.
    setUpPush({ loadProvider, now, isCurrent }).catch(() => undefined)
  }

  const discardTokenAfterLogout = () => {
    if (currentSession()) return
    removePushToken(loadProvider).catch((error: unknown) => console.warn('The push token could not be deleted', error))
  }
  // The session can end while this is loaded. Then nothing may begin, or a call would go out under it.
  if (!isCurrent()) return discardTokenAfterLogout

  const openedUrl = removeOpenedParameter(window.location)
  if (openedUrl !== null) {
    track({ event: 'notification_open', url: openedUrl })
    openPage(openedUrl, { replace: true })
  }
  const stopListening = listenToPushWorker({ openPage, renew: setUp })
  setUp()

  return () => {
    stopListening()
    discardTokenAfterLogout()
  }
}
