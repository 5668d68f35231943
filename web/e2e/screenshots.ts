import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { repositoryRoot } from '@portal/system-tests/testing/portal-process'
import { desktop, launchBrowser, phone } from './browser.ts'
import type { Account } from './journeys.ts'
import { startHostilePortal } from './hostile-portal.ts'
import { startSamplePortal } from './portals.ts'
import type { Screen } from './screen-states.ts'
import { forceLayout, openScreen, signInAs, screenVisits } from './screens.ts'

/**
 * `make screenshots` captures every screen on a phone and a desktop, light and dark, into screenshots/. `ONLY=admin,login` captures
 * only screens whose names start so, `WHOLE=1` captures full pages, and `README=1` also makes the pictures for the README and for
 * the web app manifest. `HOSTILE=1` captures a portal with long words, Devanagari and long lists into screenshots/hostile/.
 */
const isHostile = process.env['HOSTILE'] === '1'
const folder = join(repositoryRoot, 'screenshots', isHostile ? 'hostile' : '')
const readmePicture = join(repositoryRoot, 'web/docs/portal.png')

type Scheme = 'light' | 'dark'
const viewports = { phone, desktop }
const wanted = (process.env['ONLY'] ?? '').split(',').filter(Boolean)
const fullPage = process.env['WHOLE'] === '1'

const portal = await (isHostile ? startHostilePortal() : startSamplePortal(40))
const browser = await launchBrowser()
try {
  await mkdir(folder, { recursive: true })
  for (const [name, viewport] of Object.entries(viewports))
    for (const scheme of ['light', 'dark'] as const) await captureAll(browser, name, viewport, scheme)
  if (process.env['README'] === '1' && !isHostile) {
    await captureReadmePicture(browser)
    await captureManifestPictures(browser)
  }
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

/** The send page and a learner's phone side by side. */
async function captureReadmePicture(from: Browser) {
  const learnerPage = await openSignedIn(from, phone, portal.learner(2), '/notification')
  const adminPage = await openSignedIn(from, desktop, portal.admin, '/admin/notifications')
  const shots = await Promise.all([adminPage, learnerPage].map((page) => page.screenshot()))
  const [sendPage, list] = shots.map((shot) => `data:image/png;base64,${shot.toString('base64')}`)
  const frame = await from.newPage({ viewport: { width: 1280, height: 640 }, deviceScaleFactor: 1.5 })
  await frame.setContent(`<body style="margin:0;height:640px;display:flex;gap:32px;align-items:center;justify-content:center;background:#E7E8E3">
    <img src="${sendPage}" style="height:540px;border-radius:10px;box-shadow:0 10px 32px rgba(20,24,31,.18)">
    <img src="${list}" style="height:580px;border-radius:22px;box-shadow:0 10px 32px rgba(20,24,31,.22)"></body>`)
  await mkdir(join(readmePicture, '..'), { recursive: true })
  await writeFile(readmePicture, await frame.screenshot())
  const { length } = await readFile(readmePicture)
  process.stdout.write(`${readmePicture}: ${Math.round(length / 1024)} KiB\n`)
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
