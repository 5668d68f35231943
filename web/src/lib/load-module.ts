let isKept = false

/** Records whether a page that is no longer on the screen keeps unsent text in memory, where a reload would lose it. */
export const keepUnsentText = (kept: boolean): void => {
  isKept = kept
}

const typedFields = 'textarea, input:not([type="hidden"], [type="checkbox"], [type="radio"])'

/** Whether a reload would lose text: in a field on the screen, or kept by a page that the reader comes back to. */
export const hasUnsentText = (): boolean =>
  isKept || [...document.querySelectorAll(typedFields)].some((field) => 'value' in field && field.value !== '')

const reloadedAtKey = 'reloadedForReleaseAt'
const atMostEveryMs = 60_000
const reachableTimeoutMs = 5_000

/**
 * Whether the server answers. Without it a reload brings nothing, and takes away what is on the screen. It is asked for the root,
 * which is the page for every caller; other addresses of pages are calls, too.
 */
export const isReachable = async (): Promise<boolean> => {
  if (!window.navigator.onLine) return false
  try {
    const signal = AbortSignal.timeout(reachableTimeoutMs)
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
  if (hasUnsentText() || Date.now() - reloadedAt < atMostEveryMs) return false
  window.sessionStorage.setItem(reloadedAtKey, String(Date.now()))
  window.location.reload()
  return true
}

const never = new Promise<never>(() => undefined)

/**
 * Loads a file that the page on the screen needs. A page that was opened before a release asks for files that are gone: a reload
 * gets the new ones. There is no reload without a server, none that loses text, and at most one a minute, so that a file
 * that is really missing ends in an error and not in a loop.
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
    // The reload takes a moment, in which no error should flash up.
    if (reloadOnce()) return never
    throw new PageFileError('file', error)
  }
}

const firstRetryMs = 1_000
const longestRetryMs = 60_000

/** Resolves after that time, or as soon as the device has a network again. */
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
 * Loads a part that works behind the page. What is on the screen does not need it, so a network that is gone is no reason to
 * give up, or to fail the page: it is tried again for as long as the page is open.
 */
export const loadInBackground = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(2 * retryMs, longestRetryMs)) {
    try {
      return await load()
    } catch (error) {
      console.warn('A part of the page could not be loaded; it is tried again', error)
      await waitForRetry(retryMs)
    }
  }
}
