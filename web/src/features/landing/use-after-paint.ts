import { startTransition, useEffect, useState } from 'react'

const nothing = (): void => undefined

/** Calls once the browser has shown the first text or picture of this visit, which may be long ago. Returns how to call it off. */
const afterFirstPaint = (then: () => void): (() => void) => {
  const isTold = 'PerformanceObserver' in window && PerformanceObserver.supportedEntryTypes.includes('paint')
  if (!isTold || performance.getEntriesByName('first-contentful-paint').length > 0) {
    then()
    return nothing
  }
  const observer = new PerformanceObserver((entries) => {
    if (entries.getEntriesByName('first-contentful-paint').length === 0) return
    observer.disconnect()
    then()
  })
  observer.observe({ type: 'paint', buffered: true })
  return () => observer.disconnect()
}

/** False while the first screen is rendered, and true once it has been painted. */
export const useAfterPaint = (): boolean => {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    let callOff = nothing
    // A frame's callbacks run before it is painted; what they schedule, after it. On a slow phone the first one still takes a while
    // to be shown, and what is fetched meanwhile would hold it up.
    const frame = requestAnimationFrame(() => {
      const timer = setTimeout(() => {
        callOff = afterFirstPaint(() => startTransition(() => setPainted(true)))
      })
      callOff = () => clearTimeout(timer)
    })
    return () => {
      cancelAnimationFrame(frame)
      callOff()
    }
  }, [])
  return isPainted
}
