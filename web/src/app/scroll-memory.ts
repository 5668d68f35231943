const storageKey = 'scrollPositions'
/** More visits than anybody goes back. */
const keptVisits = 50
/** A page that is not as long as it was by then will not be. */
const patienceMs = 3_000

const stored = (): [string, number][] => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(kept) ? kept.filter((entry) => Array.isArray(entry) && typeof entry[1] === 'number') : []
  } catch (error) {
    console.debug('No stored scroll positions', error)
    return []
  }
}

/** How far each visit of a page was scrolled, by the key that the history gives it. A reload keeps it. */
export const scrollMemory = () => {
  const positions = new Map<string, number>(stored())
  return {
    remember: (visit: string, y: number): void => {
      positions.delete(visit)
      positions.set(visit, y)
      const [oldest] = positions.keys()
      if (positions.size > keptVisits && oldest !== undefined) positions.delete(oldest)
    },
    of: (visit: string): number => positions.get(visit) ?? 0,
    save: (): void => {
      try {
        sessionStorage.setItem(storageKey, JSON.stringify([...positions]))
      } catch (error) {
        console.debug('Scroll positions could not be stored', error)
      }
    },
  }
}

/**
 * Scrolls there, and again while the page is still filling up, also above that place; until it has had its time, or the reader
 * takes over.
 */
export const scrollBackTo = (y: number, given: AbortSignal): void => {
  window.scrollTo(0, y)
  if (y === 0 || Math.abs(window.scrollY - y) <= 1) return
  const done = new AbortController()
  const over = AbortSignal.any([given, done.signal, AbortSignal.timeout(patienceMs)])
  const observer = new ResizeObserver(() => window.scrollTo(0, y))
  over.addEventListener('abort', () => observer.disconnect())
  for (const gesture of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
    window.addEventListener(gesture, () => done.abort(), { signal: over, passive: true })
  observer.observe(document.body)
}
