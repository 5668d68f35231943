import type { BrowserContext, Page } from 'playwright-core'

/** Records layout shifts, except those right after user input. */
const observerScript = `
  globalThis.layoutShifts = []
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries()) {
      if (hadRecentInput) continue
      const moved = sources.map(({ node, previousRect, currentRect }) => {
        const text = (node?.textContent ?? '').slice(0, 40)
        const from = [previousRect, currentRect].map(({ x, y, width, height }) => [x, y, width, height].join(' '))
        return (node?.nodeName ?? '?') + ' "' + text + '" from ' + from.join(' to ') + ' (x y width height)'
      })
      globalThis.layoutShifts.push(value.toFixed(4) + ': ' + moved.join('; '))
    }
  }).observe({ type: 'layout-shift', buffered: true })
`

/** Records layout shifts on pages that are opened from now on. */
export const recordLayoutShifts = (context: BrowserContext): Promise<unknown> => context.addInitScript(observerScript)

/** The layout shifts since the page was loaded. Waits for the next paint, because the browser reports shifts after it. */
export const layoutShifts = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(globalThis.layoutShifts))))
  })`)

/** Loads the page's fonts, and forgets what moved until then. They arrive at a moment of their own. */
export const awaitFonts = (page: Page): Promise<unknown> =>
  page.evaluate(`Promise.all([...document.fonts].map((font) => font.load())).then(() => new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
      globalThis.layoutShifts = []
      resolve()
    })))
  }))`)

/** Whether the page fits without horizontal scrolling. */
export const fitsViewportWidth = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth <= window.innerWidth')
