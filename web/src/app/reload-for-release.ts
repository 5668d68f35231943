const reloadedAtKey = 'reloadedForReleaseAt'
const atMostEveryMs = 60_000

/**
 * A page that was opened before a release asks for files that are gone. A reload gets the new ones; only one, so that a file
 * that is really missing ends in the error page and not in a loop.
 */
export const reloadForRelease = (target: Window = window): void => {
  target.addEventListener('vite:preloadError', (event) => {
    const reloadedAt = Number(target.sessionStorage.getItem(reloadedAtKey) ?? 0)
    if (Date.now() - reloadedAt < atMostEveryMs) return
    target.sessionStorage.setItem(reloadedAtKey, String(Date.now()))
    event.preventDefault()
    target.location.reload()
  })
}
