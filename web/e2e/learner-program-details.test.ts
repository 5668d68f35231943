import { createProgram } from '@portal/contracts/catalog/http'
import type { Page } from 'playwright-core'
import { beforeAll, describe, test } from 'vitest'
import { callRoute, logIn } from '@portal/system-tests/testing/api-client'
import { phone } from './browser.ts'
import { expect } from './expect.ts'
import { abortRequests, delayRequests, setUpJourneys } from './journeys.ts'
import { layoutShifts, openSignedIn } from './layout-shift.ts'
import { startSamplePortal } from './portals.ts'

const journeys = setUpJourneys(() => startSamplePortal(4))
const { portal, expectConsoleErrors } = journeys

/** A program for which the admin has entered only the name. */
let bareProgram: string
beforeAll(async () => {
  const { address, admin } = portal()
  const { token } = await logIn(address, admin.email, admin.password)
  const { data } = await callRoute(address, createProgram, { token, body: { programName: 'Minor in Lithography' } })
  bareProgram = data._id
})

const openAsLearner = (path: string): Promise<Page> => openSignedIn(journeys, portal().learner(1), path)
const activePath = () => `/program-details-active/${portal().enrolledProgram}`
const inactivePath = () => `/program-details-inactives/${portal().otherProgram}`

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
/** The rows of a description list. The text of each is its name, followed by its value. */
const factsOf = (page: Page, name: string) => section(page, name).locator('dl > div')

describe('the details of an enrolled program', () => {
  test(
    '[P-10] show progress, fees, tools and faculty, and link back to the programs',
    { tags: ['essential'] },
    async () => {
      const page = await openAsLearner(activePath())
      await page.getByRole('heading', { level: 1, name: 'Program Details' }).waitFor()
      await page.getByRole('heading', { level: 2, name: 'Minor in Artificial Intelligence' }).waitFor()
      await page.getByText(/^Build systems that see, read and decide/).waitFor()
      for (const text of ['3 Semester', 'Online']) await page.getByText(text, { exact: true }).waitFor()
      for (const name of ['Overall progress', 'Semester 1']) {
        const bar = section(page, 'Your progress').getByRole('progressbar', { name })
        await expect(bar).toHaveAttribute('aria-valuenow', '68')
      }
      await expect(section(page, 'Your progress').getByText('68%')).toHaveCount(2)
      await section(page, 'Course Fee').getByText('Paid', { exact: true }).waitFor()
      await expect(factsOf(page, 'Course Fee')).toHaveText([
        'Semester 1₹15,000',
        'Semester 2₹15,000',
        'Semester 3₹15,000',
        'Total fee₹45,000',
      ])
      await expect(section(page, 'Tools').getByRole('listitem')).toHaveCount(7)
      const faculty = section(page, 'Faculty').getByRole('listitem')
      await expect(faculty).toHaveCount(7)
      await expect(faculty.filter({ hasText: 'Technical Institute' })).toHaveCount(7)

      await page.getByRole('button', { name: 'Continue Learning' }).click()
      await expect(page).toHaveURL(activePath())
      await page.getByRole('link', { name: 'Back to My Programs' }).click()
      await page.waitForURL('**/my-program')
    },
  )

  test('show the first letter of a tool whose logo cannot be loaded', async () => {
    expectConsoleErrors(/net::ERR_/)
    const page = await openAsLearner('/payment')
    await abortRequests(page, /^\/media\/tools\//)
    await page.goto(activePath())
    const tools = section(page, 'Tools').getByRole('listitem')
    await tools.filter({ hasText: /^PPython$/ }).waitFor()
    await tools.filter({ hasText: /^GGit$/ }).waitFor()
    // Each logo fails on its own.
    await expect(section(page, 'Tools').locator('img')).toHaveCount(0)
  })

  test('redirect between the two pages of a program, depending on the enrollment', async () => {
    const { enrolledProgram, otherProgram } = portal()
    expectConsoleErrors(/404/)
    const page = await openAsLearner(`/program-details-active/${otherProgram}`)
    await page.waitForURL(`**/program-details-inactives/${otherProgram}`)
    await page.getByRole('link', { name: 'Pay ₹1,000 & Register Now' }).waitFor()
    await page.goto(`/program-details-inactives/${enrolledProgram}`)
    await page.waitForURL(`**/program-details-active/${enrolledProgram}`)
    await page.getByRole('button', { name: 'Continue Learning' }).waitFor()
  })
})

describe('the details of another program', () => {
  test('[P-19] show its benefits and terms, and link to the registration', async () => {
    const page = await openAsLearner(inactivePath())
    await page.getByRole('heading', { level: 2, name: /^Minor in Computer Science/ }).waitFor()
    await page.getByText(/^The core of a computer science degree/).waitFor()
    await page.getByText('80%', { exact: true }).waitFor()
    await page.getByText('of emerging roles in India by 2026 will require CSE-related skills').waitFor()
    await page.getByText(/^It is not about man versus machine anymore\.\.\./).waitFor()
    await page.getByText('Eight weeks in production').waitFor()
    await expect(page.locator('dl > div').filter({ hasText: 'Duration' })).toHaveText('Duration3 semesters')
    await section(page, 'Course Fee').getByText('₹1000', { exact: true }).waitFor()
    await section(page, 'Tools').getByText('Linux').waitFor()
    await expect(section(page, 'Faculty').getByRole('listitem')).toHaveCount(7)
    // Visible at every scroll position.
    const pay = page.getByRole('link', { name: 'Pay ₹1,000 & Register Now' })
    const place = await pay.boundingBox()
    expect(place && place.y + place.height < phone.height).toBe(true)
    await pay.click()
    await page.waitForURL('**/payment')
    await page.getByRole('heading', { level: 1, name: 'Book your Seat' }).waitFor()
  })

  test('show default values if the admin has entered only the name', async () => {
    const page = await openAsLearner(`/program-details-inactives/${bareProgram}`)
    await page.getByRole('heading', { level: 2, name: 'Minor in Lithography' }).waitFor()
    await expect(factsOf(page, 'Course Fee')).toHaveText([
      'Semester 1₹14,000',
      'Semester 2₹15,000',
      'Semester 3₹15,000',
    ])
    await expect(section(page, 'Tools')).toHaveCount(0)
    await page.getByRole('link', { name: 'Pay ₹1,000 & Register Now' }).waitFor()
  })
})

/** Both pages load and fail in the same way. */
const variants = [
  { name: 'an enrolled program', path: activePath, call: /^\/user\/programs\//, sign: 'Continue Learning' },
  { name: 'another program', path: inactivePath, call: /^\/programs\//, sign: 'Pay ₹1,000 & Register Now' },
] as const

describe.each(variants)('the details of $name', ({ path, call, sign }) => {
  const shown = (page: Page) =>
    page
      .getByRole('button', { name: sign })
      .or(page.getByRole('link', { name: sign }))
      .first()
      .waitFor()

  test('[P-17] announce loading on a slow network without a layout shift', async () => {
    const page = await openAsLearner('/payment')
    const release = await delayRequests(page, call)
    await page.goto(path())
    await page.getByText('Loading program details...').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Program Details' }).waitFor()
    release()
    await shown(page)
    await page.getByText('Loading program details...').waitFor({ state: 'detached' })
    expect(await layoutShifts(page)).toEqual([])
  })
})

test.each(['/program-details-active/0199a7c0-0000-7000-8000-000000000000', '/program-details-inactives/no-id-at-all'])(
  '[P-77] %s shows that the program does not exist, with a link back',
  async (path) => {
    expectConsoleErrors(/40[04]/)
    const page = await openAsLearner(path)
    await page.getByRole('alert').getByText('Program not found').waitFor()
    await page.getByRole('alert').getByRole('link', { name: 'My Programs' }).click()
    await page.waitForURL('**/my-program')
  },
)
