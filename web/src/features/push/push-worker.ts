/**
 * The service worker that receives pushes. Path and scope are the provider's defaults, so that its library finds the same
 * worker. No page is in its scope: it only shows notifications.
 */
export const workerPath = '/firebase-messaging-sw.js'
const workerScope = '/firebase-cloud-messaging-push-scope'

export const activationTimeoutMs = 10_000

const waitUntilActive = async (registration: ServiceWorkerRegistration): Promise<void> => {
  if (registration.active) return
  const worker = registration.installing ?? registration.waiting
  if (!worker) throw new Error('The push worker has not been installed')
  const listening = new AbortController()
  const active = new Promise<void>((resolve, reject) => {
    const check = () => {
      if (worker.state === 'activated') resolve()
      if (worker.state === 'redundant') reject(new Error('The push worker could not be installed'))
    }
    worker.addEventListener('statechange', check, { signal: listening.signal })
    check()
  })
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => timeout.reject(new Error(`The push worker was not active within ${activationTimeoutMs} ms`)),
    activationTimeoutMs,
  )
  try {
    await Promise.race([active, timeout.promise])
  } finally {
    clearTimeout(timer)
    listening.abort()
  }
}

/** Resolves once the worker is active. Rejects after the activation timeout. */
export const registerPushWorker = async (): Promise<ServiceWorkerRegistration> => {
  const registration = await navigator.serviceWorker.register(workerPath, { scope: workerScope })
  await waitUntilActive(registration)
  return registration
}

export const registeredPushWorker = (): Promise<ServiceWorkerRegistration | undefined> =>
  navigator.serviceWorker.getRegistration(workerScope)
