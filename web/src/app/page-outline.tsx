import { useLayoutEffect } from 'react'

/** ms. A skeleton that replaces the outline is visible at once (src/ui/skeletons.tsx); later ones wait again. */
const skeletonMs = 1_000

/** Continues the outline of index.html while the files of the first page load. */
export const PageOutline = () => {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset['outline'] = ''
    return () => void setTimeout(() => delete dataset['outline'], skeletonMs)
  }, [])
  return <div className="outline" aria-hidden="true" />
}
