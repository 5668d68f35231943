const typedFields = 'textarea, input:not([type="hidden"], [type="checkbox"], [type="radio"], [hidden])'

/** Whether a reload would lose text in a field on the screen. */
export const hasUnsentText = (): boolean =>
  [...document.querySelectorAll(typedFields)].some((field) => 'value' in field && field.value !== '')

const reloadedAtKey = 'reloadedForReleaseAt'
const minReloadIntervalMs = 60_000
const reachableTimeoutMs = 5_000

/**
 * Whether the server responds. Without a server, a reload would only clear the screen. The request is for the root, because
 * other page addresses are also API routes.
 */
export const isReachable = async (): Promise<boolean> => {
  if (!window.navigator.onLine) return false
  const signal = AbortSignal.timeout(reachableTimeoutMs)
  try {
    const { ok } = await window.fetch('/', { method: 'HEAD', cache: 'no-store', signal })
    return ok
  } catch {
    return false
  }
}

/** Why a file of a page is missing: `network` when the server cannot be reached, otherwise `file`. */
export class PageFileError extends Error {
  readonly reason: 'network' | 'file'

  constructor(reason: 'network' | 'file', cause: unknown) {
    super('A file of the page could not be loaded', { cause })
    this.reason = reason
  }
}

const reloadOnce = (): boolean => {
  const reloadedAt = Number(window.sessionStorage.getItem(reloadedAtKey) ?? 0)
  if (hasUnsentText() || Date.now() - reloadedAt < minReloadIntervalMs) return false
  window.sessionStorage.setItem(reloadedAtKey, String(Date.now()))
  window.location.reload()
  return true
}

const never = new Promise<never>(() => undefined)

/**
 * Loads a module that the page on the screen needs. A page from before a release requests files that no longer exist, so this
 * function reloads the page to get the new ones. It does not reload without a server or when unsent text would be lost. It
 * reloads at most once a minute, so that a file that stays missing ends in an error and not in a loop.
 */
export const loadForPage = async <Module>(load: () => Promise<Module>): Promise<Module> => {
  try {
    return await load()
  } catch (error) {
    if (!(await isReachable())) throw new PageFileError('network', error)
  }
  try {
    return await load()
  } catch (error) {
    // Show no error while the page reloads.
    if (reloadOnce()) return never
    throw new PageFileError('file', error)
  }
}

const firstRetryMs = 1_000
const longestRetryMs = 60_000

/** Resolves after `ms`, or as soon as the device is online again. */
export const waitForRetry = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    window.addEventListener('online', done)
  })

/**
 * Loads a module that the screen does not depend on. A failure does not affect the page: the load is retried for as long as the
 * page is open.
 */
export const loadInBackground = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(2 * retryMs, longestRetryMs)) {
    try {
      return await load()
    } catch (error) {
      console.warn('background module failed to load, retrying', error)
      await waitForRetry(retryMs)
    }
  }
}
