import { useEffect, useState } from 'react'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'

/** The title without the count of what waits, which has an announcement of its own. */
const pageName = (): string => document.title.replace(/^\(\d+\+?\) /, '')

/** Tells a screen reader which page it is on now: within one document, a change of page goes unnoticed. */
export const PageAnnouncer = () => {
  const [name, setName] = useState('')
  useEffect(() => {
    const observer = new MutationObserver(() => setName(pageName()))
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [])
  return <VisuallyHidden aria-live="polite">{name}</VisuallyHidden>
}
