/** Whether the page that is shown keeps the browser from where Back or Forward has just led. */
type Guard = () => boolean

let guard: Guard | undefined

// Before the router, which forgets the page at once: listeners of the window take their turn in the order they came.
window.addEventListener('popstate', (event) => {
  if (guard?.()) event.stopImmediatePropagation()
})

/** Asked from now on before the router hears of Back and Forward; answers with what ends that. */
export const guardHistory = (given: Guard): (() => void) => {
  guard = given
  return () => {
    if (guard === given) guard = undefined
  }
}
