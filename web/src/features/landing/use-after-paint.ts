import { startTransition, useEffect, useState } from 'react'

/** False while the first screen is rendered, and true once it has been painted. */
export const useAfterPaint = (): boolean => {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    // A frame's callbacks run before it is painted; what they schedule, after it.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setPainted(true)))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [])
  return isPainted
}
