import { useTheme } from '@mui/material/styles'
import { useCallback, useRef, useState } from 'react'

const fadeMs = 2000

/** A row that does not appear within this time is not highlighted, for example because it is on another page. */
const maxWaitMs = 5000

/** px. Above and below a row that needs no scrolling: sticky heads and bars may cover this much. */
const coveredHeight = 96

const scrollIntoView = (row: HTMLElement) => {
  const { top, bottom } = row.getBoundingClientRect()
  if (top < coveredHeight || bottom > window.innerHeight - coveredHeight) row.scrollIntoView({ block: 'center' })
}

const fade = (row: HTMLElement, color: string) => {
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
  row.animate([{ backgroundColor: color }, { backgroundColor: 'transparent' }], {
    duration: fadeMs,
    easing: 'ease-out',
  })
}

/**
 * Shows where a change happened: `highlight(id)` scrolls the row into view and lets its background fade. The row may appear
 * later, after a reload of the list. Each row needs `ref={rowRef(id)}`.
 */
export const useRowHighlight = () => {
  const color = useTheme().vars.palette.portal.accentSoft
  const touched = useRef<{ readonly id: string; readonly at: number }>(undefined)
  const [, rerender] = useState({})

  const highlight = useCallback((id: string) => {
    touched.current = { id, at: performance.now() }
    // Attaches the refs again, for a row that is already there.
    rerender({})
  }, [])

  const rowRef = (id: string) => (row: HTMLElement | null) => {
    const { current } = touched
    if (!row || current?.id !== id) return
    touched.current = undefined
    if (performance.now() - current.at > maxWaitMs) return
    scrollIntoView(row)
    fade(row, color)
  }

  return { highlight, rowRef }
}
