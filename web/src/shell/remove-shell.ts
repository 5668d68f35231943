/** A skeleton that replaces the shell is visible at once (src/ui/skeletons.tsx); later ones wait again. */
const skeletonMs = 1_000

/** Every page has a heading. The rows of the inbox stay until the page has rows of its own. */
const isCovered = (root: Element, shell: Element): boolean =>
  root.querySelector('h1') !== null &&
  !(shell.hasAttribute('data-filled') && root.querySelector('[aria-label^="Loading"]') !== null)

/** Removes the shell in the same frame in which the page has its first content. */
export const removeShellWhenCovered = (root: Element): void => {
  const shell = document.getElementById('shell')
  if (!shell) return
  const observer = new MutationObserver(() => {
    if (root.querySelector('h1') !== null) shell.style.pointerEvents = 'none'
    if (!isCovered(root, shell)) return
    observer.disconnect()
    shell.remove()
    setTimeout(() => document.documentElement.removeAttribute('data-shell'), skeletonMs)
  })
  observer.observe(root, { childList: true, subtree: true })
}
