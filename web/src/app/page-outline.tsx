import { useLayoutEffect } from 'react'

/** ms. A skeleton that replaces the outline is visible at once (src/ui/skeletons.tsx); later ones wait again. */
const skeletonMs = 1_000

/** Called when something replaces the outline. */
export const replaceOutline = (): void => {
  const { dataset } = document.documentElement
  dataset['outline'] = ''
  setTimeout(() => delete dataset['outline'], skeletonMs)
}

/** The outline of index.html, if the first page is another one than that of its address. */
export const PageOutline = () => {
  useLayoutEffect(() => replaceOutline, [])
  return <div className="outline" aria-hidden="true" />
}
