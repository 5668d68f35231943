import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { desk, launchBrowser, phone } from './browser.ts'
import { type SamplePortal, startSamplePortal } from './sample-portal.ts'
import { show, signInAs, visitsOf } from './screens.ts'

/** axe finds nothing on any screen, on a phone and on a desk, in both colour schemes. */
let browser: Browser
let portal: SamplePortal

beforeAll(async () => {
  portal = await startSamplePortal()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await portal?.stop()
})

type Look = { readonly viewport: typeof phone; readonly colorScheme: 'light' | 'dark' }

const findingsIn = async ({ viewport, colorScheme }: Look): Promise<readonly string[]> => {
  const findings: string[] = []
  for (const { as, screens } of visitsOf(portal)) {
    const context = await browser.newContext({
      viewport,
      colorScheme,
      // What is on its way in has the contrast of half a thing.
      reducedMotion: 'reduce',
      baseURL: portal.address,
    })
    const page = await context.newPage()
    await signInAs(page, as)
    for (const screen of screens) {
      await show(page, screen)
      const { violations } = await new AxeBuilder({ page }).analyze()
      for (const { id, nodes } of violations) findings.push(`${screen.name}: ${id} ${nodes[0]?.html ?? ''}`)
    }
    await context.close()
  }
  return findings
}

describe.each([
  ['phone', phone],
  ['desk', desk],
] as const)('on a %s', (_size, viewport) => {
  test.each(['light', 'dark'] as const)('axe finds nothing in the %s scheme', { timeout: 180_000 }, async (scheme) => {
    expect(await findingsIn({ viewport, colorScheme: scheme })).toEqual([])
  })
})
