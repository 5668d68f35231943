import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { isPushSupported } from '../../features/push/support.ts'
import { loadPart } from '../../lib/load-part.ts'

/** After the first screen, for which nothing of this is needed. */
const whenIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 2_000 })
    else setTimeout(resolve)
  })

/** Push notifications for as long as this session lasts. Shows nothing; loads its code once the page is at rest. */
export const PushSetup = ({ sessionToken }: { sessionToken: string }) => {
  const navigate = useNavigate()
  const openPage = useEffectEvent((path: string, options?: { readonly replace: true }) => {
    void navigate(path, options)
  })

  useEffect(() => {
    if (!isPushSupported()) {
      console.info('This browser does not support push notifications')
      return undefined
    }
    const start = async () => {
      await whenIdle()
      const { startPush } = await loadPart(() => import('../../features/push/start-push.ts'))
      return startPush({ sessionToken, openPage: (path, options) => openPage(path, options) })
    }
    const started = start()
    started.catch((error: unknown) => console.warn('Push notifications are not available', error))
    return () => {
      started.then(
        (stop) => stop(),
        () => undefined, // It was never started.
      )
    }
  }, [sessionToken])

  return null
}
