import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { repositoryRoot } from '@portal/system-tests/testing/portal-process'
import { desktop, launchBrowser, pageStateOf, phone, preparePages } from './browser.ts'
import type { Account } from './journeys.ts'
import { startHostilePortal } from './hostile-portal.ts'
import { startSamplePortal } from './portals.ts'
import type { Screen } from './screen-states.ts'
import { forceLayout, openScreen, signInAs, screenVisits } from './screens.ts'

/**
 * `make screenshots` captures every screen on a phone and a desktop, light and dark, into screenshots/. `ONLY=admin,login` captures
 * only screens whose names start so, `WHOLE=1` captures full pages, and `MANIFEST=1` also makes the pictures for the web app
 * manifest. `HOSTILE=1` captures a portal with long words, Devanagari and long lists into screenshots/hostile/, and
 * `PAGES=translated`, `PAGES=old` the pages in this state into a folder of its name.
 */
const isHostile = process.env['HOSTILE'] === '1'
const pageState = pageStateOf(process.env['PAGES'])
const folder = join(
  repositoryRoot,
  'screenshots',
  pageState === 'as-built' ? '' : pageState,
  isHostile ? 'hostile' : '',
)

type Scheme = 'light' | 'dark'
const viewports = { phone, desktop }
const wanted = (process.env['ONLY'] ?? '').split(',').filter(Boolean)
const fullPage = process.env['WHOLE'] === '1'

const portal = await (isHostile ? startHostilePortal() : startSamplePortal(40))
const browser = await launchBrowser('whole')
try {
  await mkdir(folder, { recursive: true })
  for (const [name, viewport] of Object.entries(viewports))
    for (const scheme of ['light', 'dark'] as const) await captureAll(browser, name, viewport, scheme)
  if (process.env['MANIFEST'] === '1' && !isHostile) await captureManifestPictures(browser)
} finally {
  await browser.close()
  await portal.stop()
}

function isWanted({ name }: Screen): boolean {
  return wanted.length === 0 || wanted.some((start) => name.startsWith(start))
}

async function newPage(from: Browser, viewport: { width: number; height: number }, scheme: Scheme): Promise<Page> {
  const isPhone = viewport.width === phone.width
  const context = await from.newContext({
    viewport,
    colorScheme: scheme,
    baseURL: portal.address,
    // Captures no half-finished transitions.
    reducedMotion: 'reduce',
    deviceScaleFactor: fullPage ? 1 : 2,
    isMobile: isPhone,
    hasTouch: isPhone,
  })
  await preparePages(context, pageState)
  return context.newPage()
}

async function captureAll(from: Browser, size: string, viewport: typeof phone, scheme: Scheme) {
  for (const { as, screens } of screenVisits(portal)) {
    const shown = screens.filter(isWanted)
    if (shown.length === 0) continue
    const page = await newPage(from, viewport, scheme)
    await signInAs(page, as)
    for (const screen of shown) {
      await openScreen(page, screen)
      if (fullPage) await forceLayout(page)
      await page.screenshot({ path: join(folder, `${screen.name}-${size}-${scheme}.png`), fullPage })
    }
    await page.context().close()
  }
}

async function openSignedIn(from: Browser, viewport: typeof phone, account: Account, path: string): Promise<Page> {
  const page = await newPage(from, viewport, 'light')
  await signInAs(page, account)
  await openScreen(page, { name: path, path })
  return page
}

/** What a phone or a desktop shows before it installs the portal. */
async function captureManifestPictures(from: Browser) {
  const target = join(repositoryRoot, 'web/public/screenshots')
  await mkdir(target, { recursive: true })
  const inbox = await openSignedIn(from, phone, portal.learner(2), '/notification')
  await inbox.screenshot({ path: join(target, 'narrow.png') })
  const landing = await newPage(from, desktop, 'light')
  await openScreen(landing, { name: 'landing', path: '/home' })
  await landing.screenshot({ path: join(target, 'wide.png'), scale: 'css' })
}
