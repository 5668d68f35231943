import { startTransition, useEffect, useRef, useState, type ReactNode } from 'react'

type MeasuredWidthProps = { readonly children: (widthPx: number) => ReactNode }

/**
 * Renders a chart at the width of its container. Measured by the chart itself, it would render twice, and the second time
 * in one piece, which blocks a phone for a quarter of a second; a transition is rendered in slices.
 */
export const MeasuredWidth = ({ children }: MeasuredWidthProps) => {
  const container = useRef<HTMLDivElement>(null)
  const [widthPx, setWidthPx] = useState(0)
  useEffect(() => {
    const { current: element } = container
    if (!element) return undefined
    let isRendered = false
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return
      const measure = () => setWidthPx(Math.round(entry.contentRect.width))
      // A chart that is wider than its container would cover what is beside it until a transition is done.
      if (isRendered) measure()
      else startTransition(measure)
      isRendered = true
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  // Hidden from screen readers: the page repeats the numbers as a text and a table.
  return (
    // Without containment, the chart would keep its container from becoming narrower.
    <div ref={container} aria-hidden="true" style={{ contain: 'inline-size' }}>
      {widthPx > 0 && children(widthPx)}
    </div>
  )
}
