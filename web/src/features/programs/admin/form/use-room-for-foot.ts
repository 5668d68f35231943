import { useEffect, type RefObject } from 'react'

/** A line or two beneath a field, where its message stands. */
const messagePx = 52

/** What the page keeps free below whatever gets the focus. */
export const footRoom = '--foot-room'

/** Whatever gets the focus comes into sight above the foot, with the message beneath it, however high the foot is by then. */
export const useRoomForFoot = (foot: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const element = foot.current
    if (element === null) return undefined
    const { style } = document.documentElement
    style.scrollPaddingBottom = `var(${footRoom})`
    const observer = new ResizeObserver(() => style.setProperty(footRoom, `${element.offsetHeight + messagePx}px`))
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.scrollPaddingBottom = ''
      style.removeProperty(footRoom)
    }
  }, [foot])
}
