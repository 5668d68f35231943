import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { admin, eventually } from '@portal/system-tests/testing/portal-process'
import { desktop, clearGateway, gatewayOf } from './browser.ts'
import { expect } from './expect.ts'
import { type Account, setUpJourneys, type RunningPortal } from './journeys.ts'
import { clickButton, field, fillAccountStep, fillContact, newContact } from './registration-form.ts'

/** A running portal with three learners who have the same password. */
type JourneyPortal = RunningPortal & {
  /** The number of gateways behind the address. */
  readonly gateways: 1 | 2
  readonly learner: (n: number) => Account
}

/** The main job in a real browser against real processes, on one machine or distributed. */
export const mainJob = (startPortal: () => Promise<JourneyPortal>): void => {
  const { portal, newContext, newPage, open, openAs, signIn, send, findSentMessage, expectConsoleErrors } =
    setUpJourneys(startPortal)

  /** The balancer uses round robin. Reloads the last tab until it has another gateway than the first. */
  const spreadOverGateways = async ([firstTab, ...others]: readonly Page[], gateways: 1 | 2): Promise<void> => {
    const lastTab = others.at(-1)
    if (!firstTab || !lastTab) throw new Error('At least two tabs are needed')
    await eventually('the tabs are connected', () => gatewayOf(firstTab) && gatewayOf(lastTab))
    for (let tries = 0; gateways === 2 && gatewayOf(lastTab) === gatewayOf(firstTab) && tries < 10; tries++) {
      clearGateway(lastTab)
      await lastTab.reload()
      await eventually('the tab is connected again', () => gatewayOf(lastTab))
    }
    expect(new Set([gatewayOf(firstTab), gatewayOf(lastTab)]).size).toBe(gateways)
  }

  test('a learner registers with the codes from the outbox and is redirected to the home page', async () => {
    const page = await open(await newContext(), '/register')
    const who = newContact()
    await fillAccountStep(page)
    await fillContact(page, who)
    await clickButton(page, 'Send OTPs to Email & Phone')
    await page.getByText('OTPs sent successfully to your email and phone!').waitFor()
    const byMail = await findSentMessage(who.email)
    const bySms = await findSentMessage(who.phone)
    await field(page, 'Email OTP').fill(byMail.code ?? '')
    await field(page, 'Phone OTP').fill(bySms.code ?? '')
    await clickButton(page, 'Verify')
    await page.getByText('Account created successfully! Redirecting to home page...').waitFor()
    await page.waitForURL('**/home')
  })

  test('a notification reaches three open tabs of two learners, and tabs of one learner share its read state', async () => {
    const { learner, gateways } = portal()
    const first = await newContext()
    const second = await newContext()
    const tabs = [await signIn(first, learner(1))]
    await tabs[0]?.waitForURL('**/home')
    tabs.push(await newPage(first), await signIn(second, learner(2)))
    await tabs[2]?.waitForURL('**/home')
    for (const tab of tabs) {
      await tab.goto('/notification')
      await tab.getByText('No notifications yet.').waitFor()
    }
    await spreadOverGateways(tabs, gateways)

    const adminPage = await signIn(await newContext(desktop), admin)
    await adminPage.waitForURL('**/admin/dashboard')
    await adminPage.getByRole('link', { name: 'Notifications' }).click()
    await adminPage.getByRole('textbox', { name: 'Title' }).fill('The hall is closed')
    await adminPage.getByRole('textbox', { name: 'Message' }).fill('Please come to room 12 instead.')
    for (const { email } of [learner(1), learner(2)]) {
      await adminPage.getByRole('searchbox', { name: 'Search users' }).fill(email)
      await adminPage.getByRole('checkbox', { name: new RegExp(email) }).check()
    }
    await adminPage.getByRole('button', { name: 'Send to 2 users' }).click()
    await adminPage.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
    await adminPage.getByRole('dialog').waitFor({ state: 'detached' })
    const arrived = tabs.map(async (tab) => {
      const start = performance.now()
      await tab
        .getByRole('link', { name: /The hall is closed/ })
        .first()
        .waitFor()
      return performance.now() - start
    })
    await adminPage.getByRole('button', { name: 'Send now' }).click()
    const times = await Promise.all(arrived)
    // The click included. `make bench` measures such times on a machine of its own.
    console.info(`The notification reached the tabs in ${times.map((timeMs) => Math.round(timeMs)).join(', ')} ms.`)
    await adminPage.getByText(/Notification sent successfully to \d devices/).waitFor()

    for (const tab of tabs) await tab.getByRole('link', { name: /1 unread.*Notification/ }).waitFor() // the badge
    const [reading, other, untouched] = tabs
    await reading?.getByText('The hall is closed').first().click()
    await reading?.waitForURL('**/notification/*')
    await reading?.getByText('Please come to room 12 instead.').waitFor()
    await other?.getByRole('button', { name: 'Mark all as read' }).waitFor({ state: 'hidden' })
    await untouched?.getByRole('button', { name: 'Mark all as read' }).click()
    await untouched?.getByText('All notifications marked as read').waitFor()
    await untouched?.getByRole('button', { name: 'Mark all as read' }).waitFor({ state: 'hidden' })
  })

  test('a notification far down the list opens by its address, and a missing one shows an error', async () => {
    const reader = portal().learner(3)
    const ids = await send([reader], ...Array.from({ length: 25 }, (_, n) => ({ title: `Notice ${n + 1}` })))
    const page = await openAs(reader, '/home')
    await page.goto(`/notification/${ids[0]}`)
    await page.getByRole('heading', { name: 'Notification Details' }).waitFor()
    await page.getByText('Text of Notice 1', { exact: true }).waitFor()

    await page.goto('/notification?page=3')
    await page.getByText('Showing 21 to 25 of 25 notifications').waitFor()
    await page.reload()
    await page.getByText('Showing 21 to 25 of 25 notifications').waitFor()

    expectConsoleErrors(/404/)
    await page.goto('/notification/0199a7c0-0000-7000-8000-000000000000')
    await page.getByText('Notification not found').first().waitFor()
    await page.waitForURL('**/notification')
  })
}
