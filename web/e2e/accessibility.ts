import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { desktop, launchBrowser, phone } from './browser.ts'
import { expect } from './expect.ts'
import { startSamplePortal, type SamplePortal } from './portals.ts'
import type { Screen } from './screen-states.ts'
import { forceLayout, openScreen, signInAs, type Visit } from './screens.ts'

const schemes = ['light', 'dark'] as const
type Schemes = readonly (typeof schemes)[number][]

/** Emulates the system's color scheme, which the open page follows, and waits until no color is in between. */
const applyColorScheme = async (page: Page, colorScheme: (typeof schemes)[number]): Promise<void> => {
  await page.emulateMedia({ colorScheme })
  // The page sets this when it learns of the scheme, which takes a while on a busy machine.
  await page.locator(`html[data-scheme="${colorScheme}"]`).waitFor({ state: 'attached' })
  await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))')
}

/** What axe finds on the page as it is, in each of the color schemes. */
export const axeFindings = async (
  page: Page,
  name: string,
  colorSchemes: Schemes = schemes,
): Promise<readonly string[]> => {
  const findings: string[] = []
  for (const colorScheme of colorSchemes) {
    await applyColorScheme(page, colorScheme)
    // Legacy mode opens no extra page; it lacks only frames of other origins, which the portal does not have.
    // resultTypes keeps axe from describing each element of the rules that pass.
    const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] })
    const { violations } = await axe.analyze()
    for (const { id, nodes } of violations) findings.push(`${name}, ${colorScheme}: ${id} ${nodes[0]?.html ?? ''}`)
  }
  return findings
}

const scanScreen = async (page: Page, { name, isState }: Screen): Promise<readonly string[]> => {
  await forceLayout(page)
  return axeFindings(page, name, isState ? schemes.slice(0, 1) : schemes)
}

const scanVisits = async (browser: Browser, address: string, visits: readonly Visit[], viewport: typeof phone) => {
  const findings: string[] = []
  for (const { as, screens } of visits) {
    const context = await browser.newContext({
      viewport,
      // Elements that fade in would fail the contrast check.
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
      baseURL: address,
    })
    const page = await context.newPage()
    await signInAs(page, as)
    // A state has the colors and widths of other screens, so one size is enough.
    for (const screen of screens.filter(({ isState }) => !isState || viewport === phone)) {
      await openScreen(page, screen)
      findings.push(...(await scanScreen(page, screen)))
    }
    await context.close()
  }
  return findings
}

/** Checks the screens with axe, on a phone and a desktop, in both color schemes. */
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
    ['desktop', desktop],
  ] as const)(
    'axe finds no violations on a %s in either color scheme',
    { timeout: 300_000 },
    async (_size, viewport) => {
      const visits = visitsOn(portal)
      expect(visits.length).toBeGreaterThan(0)
      expect(await scanVisits(browser, portal.address, visits, viewport)).toEqual([])
    },
  )
}
