import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desk, launchBrowser, phone } from './browser.ts'
import { startSamplePortal, type SamplePortal } from './portals.ts'
import type { Screen } from './screen-states.ts'
import { forceLayout, openScreen, signInAs, type Visit } from './screens.ts'

const schemes = ['light', 'dark'] as const

/** The scheme follows the system's while the page is open, as it does for its readers. */
const scanScreen = async (page: Page, { name, isState }: Screen): Promise<readonly string[]> => {
  const findings: string[] = []
  await forceLayout(page)
  for (const colorScheme of isState ? schemes.slice(0, 1) : schemes) {
    await page.emulateMedia({ colorScheme })
    // There are no frames of other origins, for which the other mode opens one more page each time.
    // Of the rules that pass, axe would describe each element.
    const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] })
    const { violations } = await axe.analyze()
    for (const { id, nodes } of violations) findings.push(`${name}, ${colorScheme}: ${id} ${nodes[0]?.html ?? ''}`)
  }
  return findings
}

const scanVisits = async (browser: Browser, address: string, visits: readonly Visit[], viewport: typeof phone) => {
  const findings: string[] = []
  for (const { as, screens } of visits) {
    const context = await browser.newContext({
      viewport,
      // What is on its way in has the contrast of half a thing.
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
      baseURL: address,
    })
    const page = await context.newPage()
    await signInAs(page, as)
    // The colors and widths of a state are those of other screens: once is enough.
    for (const screen of screens.filter(({ isState }) => !isState || viewport === phone)) {
      await openScreen(page, screen)
      findings.push(...(await scanScreen(page, screen)))
    }
    await context.close()
  }
  return findings
}

/** axe finds nothing on any of these screens, on a phone and on a desk, in both color schemes. */
export const checkAccessibility = (visitsOn: (portal: SamplePortal) => readonly Visit[]): void => {
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

  test.concurrent.each([
    ['phone', phone],
    ['desk', desk],
  ] as const)('axe finds nothing on a %s, in either scheme', { timeout: 300_000 }, async (_size, viewport) => {
    const visits = visitsOn(portal)
    expect(visits.length).toBeGreaterThan(0)
    expect(await scanVisits(browser, portal.address, visits, viewport)).toEqual([])
  })
}
