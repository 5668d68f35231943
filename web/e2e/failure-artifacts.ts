import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'

/** The second run of a failed journey sets TRACE: `npx playwright-core show-trace FILE` opens what it keeps. */
const isTraced = process.env['TRACE'] === '1'
const folder = 'test-results/journeys'

const fileNameOf = (title: string): string => title.replaceAll(/[^\w-]+/g, '-').slice(0, 80)

export const startTrace = async (context: BrowserContext): Promise<void> => {
  if (isTraced) await context.tracing.start({ screenshots: true, snapshots: true })
}

/** A picture of each open page, and the trace of the context if it has one. A page that cannot be drawn has none. */
export const keepFailure = async (title: string, contexts: readonly BrowserContext[]): Promise<void> => {
  await mkdir(folder, { recursive: true })
  for (const [i, context] of contexts.entries()) {
    const path = join(folder, `${fileNameOf(title)}-${i + 1}`)
    for (const [j, page] of context.pages().entries())
      await page.screenshot({ path: `${path}-${j + 1}.png`, timeout: 10_000 }).catch((error: unknown) => {
        process.stderr.write(`no picture of ${page.url()}: ${error instanceof Error ? error.message : error}\n`)
      })
    if (isTraced) await context.tracing.stop({ path: `${path}.zip` })
  }
}
