import { createProgram, addUniversity } from '@portal/contracts/catalog/http'
import { callRoute } from '@portal/system-tests/testing/api-client'
import type { Page } from 'playwright-core'
import { beforeAll, test } from 'vitest'
import { desktop, phone } from './browser.ts'
import { expect } from './expect.ts'
import { setUpJourneys } from './journeys.ts'
import { fitsViewportWidth } from './layout-shift.ts'
import { startSamplePortal } from './portals.ts'

/** The landing page of a center with many programs and universities. */
const { portal, newContext, newPage, open, adminToken } = setUpJourneys(() => startSamplePortal(1))

const sampleSize = 4
const added = 26
const longName = 'The University of Agricultural and Environmental Technology, Northern Campus, Visakhapatnam'

beforeAll(async () => {
  const { address } = portal()
  const token = await adminToken()
  for (let n = 1; n <= added; n++)
    await callRoute(address, createProgram, { token, body: { programName: `Minor in subject ${n}`, fee: '45000' } })
  for (let n = 1; n <= 12; n++)
    await callRoute(address, addUniversity, { token, body: { name: n === 1 ? longName : `College ${n}` } })
})

const openLanding = async (viewport: typeof phone): Promise<Page> => {
  const page = await open(await newContext(viewport), '/home')
  await page.getByRole('searchbox', { name: 'Search the questions' }).waitFor({ state: 'attached' })
  return page
}
const banner = (page: Page) => page.getByRole('banner')
const cards = (page: Page) => page.locator('#programs li')

test.each([phone, desktop])(
  'the top bar leaves on scrolling down, and returns with Sign Up on scrolling up, at $width px',
  async (viewport) => {
    const page = await openLanding(viewport)
    const barTop = async () => Math.round((await banner(page).boundingBox())?.y ?? Number.NaN)
    expect(await barTop()).toBe(0)
    await page.mouse.move(100, 300)
    // In steps, as a wheel does: a step counts for nothing while sections above are rendered.
    const scrollBy = async (px: number) => {
      await page.mouse.wheel(0, px)
      return barTop()
    }
    await expect.poll(() => scrollBy(300)).toBeLessThanOrEqual(-72)
    await expect.poll(() => scrollBy(-20)).toBe(-8)
    await banner(page).getByRole('link', { name: 'Sign Up' }).click()
    await page.waitForURL('**/register')
  },
)

test('on a narrow phone, the top bar has a large Login only', async () => {
  const page = await openLanding({ width: 320, height: 640 })
  expect((await banner(page).getByRole('link', { name: 'Login' }).boundingBox())?.height).toBe(44)
  await expect(banner(page).getByRole('link', { name: 'Sign Up' })).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('link', { name: 'Sign Up' })).toHaveCount(1)
})

test('eight programs are shown, then all, and Back returns to all of them', { tags: ['essential'] }, async () => {
  const page = await openLanding(phone)
  await expect(cards(page)).toHaveCount(8)
  await page.getByRole('button', { name: `Show all ${sampleSize + added}` }).click()
  await expect(cards(page)).toHaveCount(sampleSize + added)
  // The focus moves after the cards have been rendered.
  await expect
    .poll(() => page.evaluate('document.activeElement === document.querySelectorAll("#programs li a")[8]'))
    .toBe(true)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/login')
  await page.goBack()
  await page.waitForURL('**/home?programs=all')
  await expect(cards(page)).toHaveCount(sampleSize + added)
})

test(
  '[H-6] universities are in a searchable sheet on a phone, and in a carousel on a desktop',
  { tags: ['essential'] },
  async () => {
    const page = await openLanding(phone)
    // Programs that arrive while the button is pressed would move it from under the pointer.
    await cards(page).nth(7).waitFor()
    const section = page.locator('#universities')
    await section.scrollIntoViewIfNeeded()
    await expect(section.getByRole('listitem')).toHaveCount(6)
    const opener = section.getByRole('button', { name: /^All \d+ universities$/ })
    await opener.click()
    const sheet = page.getByRole('dialog', { name: 'Partner universities' })
    await sheet.getByRole('searchbox').fill('visakhapatnam agricultural')
    await expect(sheet.getByRole('listitem')).toContainText([longName])
    expect(await fitsViewportWidth(page)).toBe(true)
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
    await expect(opener).toBeFocused()

    const wide = await openLanding(desktop)
    await wide.locator('#universities').scrollIntoViewIfNeeded()
    await wide.locator('#universities').getByRole('button', { name: 'Next' }).waitFor()
  },
)

test('a few universities are all on the page of a phone, with their whole names', async () => {
  const page = await newPage(await newContext())
  const names = [longName, 'Hill College', 'Lake College']
  const listed = names.map((name, n) => ({ _id: `01930000-0000-7000-8000-00000000000${n}`, name }))
  await page.route('**/api/universities', (route) => route.fulfill({ json: listed }))
  await page.goto('/home')
  await cards(page).nth(7).waitFor()
  const section = page.locator('#universities')
  await section.scrollIntoViewIfNeeded()
  const shown = section.getByRole('listitem').locator('.name')
  // The text of a section is empty until the frame that renders it, which comes after it was scrolled to.
  await expect(shown).toHaveText(names)
  expect(await shown.first().evaluate((name) => name.scrollHeight > name.clientHeight + 1)).toBe(false)
  await expect(section.getByRole('button')).toHaveCount(0)
})
