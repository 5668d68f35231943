import type { BrowserContext, Page } from 'playwright-core'
import type { Account, Journeys } from './journeys.ts'

/** What jumps on a page by itself. What follows a tap at once is the answer to it, and does not count. */
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

/** For pages that are opened from now on. */
export const recordLayoutShifts = (context: BrowserContext): Promise<unknown> => context.addInitScript(observerScript)

/** What has jumped since the page was loaded: how far, and what. The browser tells after it has drawn. */
export const layoutShifts = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(globalThis.layoutShifts))))
  })`)

/** A browser of its own, of somebody who logged in before, at an address; what jumps there is noted. */
export const openSignedIn = async (
  { signedInContext, open }: Pick<Journeys, 'signedInContext' | 'open'>,
  account: Account,
  path: string,
  viewport?: { readonly width: number; readonly height: number },
): Promise<Page> => {
  const context = await signedInContext(account, viewport)
  await recordLayoutShifts(context)
  return open(context, path)
}
