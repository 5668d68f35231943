/** Returns true to block the navigation by Back or Forward that has just happened. */
type Guard = () => boolean

let guard: Guard | undefined

// Registered before the router's listener, so that the guard runs while the router still has the old page.
window.addEventListener('popstate', (event) => {
  if (guard?.()) event.stopImmediatePropagation()
})

/** Runs the guard on Back and Forward, before the router. Returns a function that removes it. */
export const guardHistory = (newGuard: Guard): (() => void) => {
  guard = newGuard
  return () => {
    if (guard === newGuard) guard = undefined
  }
}
