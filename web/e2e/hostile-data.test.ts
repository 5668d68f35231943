import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { expect } from './expect.ts'
import { startHostilePortal } from './hostile-portal.ts'
import { type Account, setUpJourneys } from './journeys.ts'
import type { SamplePortal } from './portals.ts'
import { forceLayout } from './screens.ts'

/** Long words, Devanagari, long addresses and long lists on every page, also at 200 % zoom. */
const { portal, newContext, newPage, signedInContext, expectConsoleErrors } = setUpJourneys(startHostilePortal)

/** 640×400 is a window of 1280×800 at 200 % zoom. */
const windows = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 640, height: 400 },
  { width: 1280, height: 800 },
]

/**
 * The elements that are wider than the window, and texts that are cut without an ellipsis, also in fields. Page code is a string,
 * because these files have no DOM types.
 */
const faults = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`{
    const name = (element) => element.tagName.toLowerCase() + ' "' + element.textContent.trim().slice(0, 30) + '"'
    const isForReaders = (element) => element.getBoundingClientRect().width <= 1 || getComputedStyle(element).clipPath !== 'none'
    // A carousel cuts the slides beside the one that it shows.
    const isDrawing = (element) => element.closest('svg, [aria-hidden="true"], [aria-roledescription="carousel"]') !== null
    const scrolls = (element) => {
      for (let at = element; at && at !== document.body; at = at.parentElement)
        if (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(at).overflowX)) return true
      return false
    }
    const found = []
    const width = document.documentElement.scrollWidth
    const all = [...document.body.querySelectorAll('*')]
    if (width > innerWidth) {
      found.push('the page is ' + width + ' wide')
      for (const element of all)
        if (element.getBoundingClientRect().right > innerWidth + 1 && !scrolls(element)) found.push('outside: ' + name(element))
    }
    const isText = (element) => element.textContent.trim() !== '' && !isDrawing(element) && !isForReaders(element)
    for (const element of all.filter(isText)) {
      const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(element)
      const hides = overflowX === 'hidden' || overflowX === 'clip'
      if (!hides || textOverflow === 'ellipsis' || webkitLineClamp !== 'none') continue
      if (element.scrollWidth <= element.clientWidth + 1) continue
      for (const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT); texts.nextNode(); ) {
        const { currentNode: text } = texts
        const range = document.createRange()
        range.selectNodeContents(text)
        const isCut = range.getBoundingClientRect().right > element.getBoundingClientRect().right + 1
        if (isCut && isText(text.parentElement)) found.push('cut: ' + name(text.parentElement) + ' in ' + name(element))
      }
    }
    for (const field of document.querySelectorAll('input'))
      if (field.scrollWidth > field.clientWidth + 1 && getComputedStyle(field).textOverflow !== 'ellipsis')
        found.push('cut: field "' + field.value.slice(0, 30) + '"')
    found.slice(0, 6)
  }`)

const visitorPaths = ['/login', '/register', '/reset-password', '/reset-password?token=of-a-link', '/home']
const learnerPaths = (sample: SamplePortal) => [
  '/home',
  '/my-program',
  '/notification',
  `/notification/${sample.notification}`,
  '/profile',
  '/profile/notifications',
  '/profile/sessions',
  '/profile/security',
  '/edit-profile',
  '/payment',
  `/program-details-active/${sample.enrolledProgram}`,
  `/program-details-inactives/${sample.otherProgram}`,
]
const adminPaths = (sample: SamplePortal) => [
  '/admin/dashboard',
  '/admin/programs',
  '/admin/programs/new',
  `/admin/programs/edit/${sample.otherProgram}`,
  `/admin/programs/${sample.enrolledProgram}/learners`,
  '/admin/universities',
  '/admin/notifications?view=scheduled',
  '/admin/notifications',
  `/admin/notifications/${sample.notification}`,
  '/admin/dashboard/users',
  '/admin/dashboard/audit',
  `/admin/people/${sample.userId}`,
  '/admin/profile',
  '/admin/profile/notifications',
  '/admin/profile/sessions',
  '/admin/profile/api-keys',
  '/admin/profile/security',
]

/** Opens each page once, and looks at it in each window. */
const faultsOn = async (account: Account | null, paths: readonly string[]): Promise<readonly string[]> => {
  const page = await newPage(await (account === null ? newContext() : signedInContext(account)))
  // The logos of some tools are missing on purpose.
  expectConsoleErrors(/status of 404/)
  const found: string[] = []
  for (const path of paths) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForLoadState('networkidle')
    await forceLayout(page)
    for (const window of windows) {
      await page.setViewportSize(window)
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
      found.push(...(await faults(page)).map((fault) => `${path} at ${window.width}: ${fault}`))
    }
  }
  return found
}

test.each<readonly [string, (sample: SamplePortal) => Account | null, (sample: SamplePortal) => readonly string[]]>([
  ['visitors', () => null, () => visitorPaths],
  ['learners', (sample) => sample.learner(1), learnerPaths],
  ['faculty members', (sample) => sample.faculty, () => ['/faculty/dashboard', '/notification']],
  ['admins', (sample) => sample.admin, adminPaths],
])('the pages of %s scroll in one direction only and cut no text', async (_who, accountOf, pathsOf) => {
  expect(await faultsOn(accountOf(portal()), pathsOf(portal()))).toEqual([])
})
