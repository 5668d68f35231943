import { useEffect, useState, type RefObject } from 'react'
import { visibleShare } from './playback.ts'

/** How much of an element is on the screen, as exactly as the rule for playing asks. */
export const useVisibleShare = (element: RefObject<Element | null>): number => {
  const [share, setShare] = useState(0)
  useEffect(() => {
    if (!element.current) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        const latest = entries.at(-1)
        if (latest) setShare(latest.intersectionRatio)
      },
      { threshold: [0, visibleShare] },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return share
}
