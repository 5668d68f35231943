import { useEffect, type RefObject } from 'react'

/** A line or two beneath a field, where its message stands. */
const messagePx = 52

/** Whatever gets the focus comes into sight above the foot, with the message beneath it, however high the foot is by then. */
export const useRoomForFoot = (foot: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const element = foot.current
    if (element === null) return undefined
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => {
      style.scrollPaddingBottom = `${element.offsetHeight + messagePx}px`
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.scrollPaddingBottom = ''
    }
  }, [foot])
}
