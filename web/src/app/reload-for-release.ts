const reloadedAtKey = 'reloadedForReleaseAt'
const atMostEveryMs = 60_000

/** Whether the server answers. Without it a reload brings nothing, and takes away what is on the screen. */
const isReachable = async (target: Window): Promise<boolean> => {
  if (!target.navigator.onLine) return false
  try {
    const { ok } = await target.fetch(target.location.href, { method: 'HEAD', cache: 'no-store' })
    return ok
  } catch {
    return false
  }
}

/**
 * A page that was opened before a release asks for files that are gone. A reload gets the new ones; only one, so that a file
 * that is really missing ends in the error page and not in a loop.
 */
export const reloadForRelease = (target: Window = window): void => {
  const reloadOnce = async () => {
    if (!(await isReachable(target))) return
    const reloadedAt = Number(target.sessionStorage.getItem(reloadedAtKey) ?? 0)
    if (Date.now() - reloadedAt < atMostEveryMs) return
    target.sessionStorage.setItem(reloadedAtKey, String(Date.now()))
    target.location.reload()
  }
  target.addEventListener('vite:preloadError', () => void reloadOnce())
}
