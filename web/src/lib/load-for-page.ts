import { hasUnsentText } from './unsent-text.ts'

const reloadedAtKey = 'reloadedForReleaseAt'
const atMostEveryMs = 60_000
const reachableTimeoutMs = 5_000

/**
 * Whether the server answers. Without it a reload brings nothing, and takes away what is on the screen. It is asked for the root,
 * which is the page for every caller; other addresses of pages are calls, too.
 */
export const isReachable = async (target: Window = window): Promise<boolean> => {
  if (!target.navigator.onLine) return false
  try {
    const signal = AbortSignal.timeout(reachableTimeoutMs)
    const { ok } = await target.fetch('/', { method: 'HEAD', cache: 'no-store', signal })
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

const reloadOnce = (target: Window): boolean => {
  const reloadedAt = Number(target.sessionStorage.getItem(reloadedAtKey) ?? 0)
  if (hasUnsentText() || Date.now() - reloadedAt < atMostEveryMs) return false
  target.sessionStorage.setItem(reloadedAtKey, String(Date.now()))
  target.location.reload()
  return true
}

const never = new Promise<never>(() => undefined)

/**
 * Loads a file that the page on the screen needs. A page that was opened before a release asks for files that are gone: a reload
 * gets the new ones. There is no reload without a server, none that loses text, and at most one a minute, so that a file
 * that is really missing ends in an error and not in a loop.
 */
export const loadForPage = async <Module>(load: () => Promise<Module>, target: Window = window): Promise<Module> => {
  try {
    return await load()
  } catch (error) {
    if (!(await isReachable(target))) throw new PageFileError('network', error)
  }
  try {
    return await load()
  } catch (error) {
    // The reload takes a moment, in which no error should flash up.
    if (reloadOnce(target)) return never
    throw new PageFileError('file', error)
  }
}
