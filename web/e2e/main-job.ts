import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { sendNotification } from '@portal/contracts/notifications/http'
import { callRoute, logIn } from '@portal/system-tests/testing/api-client'
import { admin, eventually } from '@portal/system-tests/testing/portal-process'
import { desktop, clearGateway, gatewayOf } from './browser.ts'
import { expect } from './expect.ts'
import { setUpJourneys, type RunningPortal } from './journeys.ts'

/** A running portal with three learners who have the same password. */
type JourneyPortal = RunningPortal & {
  /** The number of gateways behind the address. */
  readonly gateways: 1 | 2
  readonly learnerEmails: readonly [string, string, string]
  readonly learnerPassword: string
}

/** The main job in a real browser against real processes, on one machine or distributed. */
export const mainJob = (startPortal: () => Promise<JourneyPortal>): void => {
  const { portal, newContext, newPage, open, signIn, signInAsAdmin, findSentMessage, expectConsoleErrors } =
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
    await page.getByLabel('Name', { exact: true }).fill('Asha Verma')
    await page.getByLabel('University Name').click()
    await page.getByRole('option').nth(1).click()
    await page.getByLabel('Password', { exact: true }).fill('Correct-horse1')
    await page.getByLabel('Confirm Password', { exact: true }).fill('Correct-horse1')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByLabel('Email', { exact: false }).fill('asha@example.com')
    await page.getByLabel(/mobile|phone/i).fill('9876543210')
    await page.getByRole('button', { name: 'Send OTPs to Email & Phone' }).click()
    await page.getByText('OTPs sent successfully to your email and phone!').waitFor()
    const byMail = await findSentMessage('asha@example.com')
    const bySms = await findSentMessage('9876543210')
    await page.getByLabel(/email otp/i).fill(byMail.code ?? '')
    await page.getByLabel(/phone otp/i).fill(bySms.code ?? '')
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('Account created successfully! Redirecting to home page...').waitFor()
    await page.waitForURL('**/home')
  })

  test('a notification reaches three open tabs of two learners, and tabs of one learner share its read state', async () => {
    const { learnerEmails, learnerPassword, gateways } = portal()
    const first = await newContext()
    const second = await newContext()
    const tabs = [await signIn(first, learnerEmails[0], learnerPassword)]
    await tabs[0]?.waitForURL('**/home')
    tabs.push(await newPage(first), await signIn(second, learnerEmails[1], learnerPassword))
    await tabs[2]?.waitForURL('**/home')
    for (const tab of tabs) {
      await tab.goto('/notification')
      await tab.getByText('No notifications yet.').waitFor()
    }
    await spreadOverGateways(tabs, gateways)

    const adminContext = await newContext(desktop)
    const adminPage = await signInAsAdmin(adminContext)
    await adminPage.getByRole('link', { name: 'Notifications' }).click()
    await adminPage.getByRole('textbox', { name: 'Title' }).fill('The hall is closed')
    await adminPage.getByRole('textbox', { name: 'Message' }).fill('Please come to room 12 instead.')
    for (const email of learnerEmails.slice(0, 2)) {
      await adminPage
        .getByRole('searchbox')
        .or(adminPage.getByLabel(/search/i))
        .first()
        .fill(email)
      await adminPage.getByRole('checkbox', { name: new RegExp(email) }).check()
    }
    await adminPage.getByRole('button', { name: 'Send to 2 users' }).click()
    await adminPage.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
    await adminPage.getByRole('dialog').waitFor({ state: 'detached' })
    const arrived = tabs.map(async (tab) => {
      const start = performance.now()
      await tab
        .getByRole('link', { name: /The hall is closed/ })
        .or(tab.getByRole('button', { name: /The hall is closed/ }))
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
    const { address, learnerEmails, learnerPassword } = portal()
    const { token } = await logIn(address, admin.email, admin.password)
    const learner = await logIn(address, learnerEmails[2], learnerPassword)
    const ids: string[] = []
    for (let n = 1; n <= 25; n++) {
      const { notificationId } = await callRoute(address, sendNotification, {
        token,
        body: { userIds: [learner.userId], title: `Notice ${n}`, message: `Text of notice ${n}`, type: 'General' },
      })
      ids.push(notificationId)
    }
    const page = await signIn(await newContext(), learnerEmails[2], learnerPassword)
    await page.waitForURL('**/home')
    await page.goto(`/notification/${ids[0]}`)
    await page.getByRole('heading', { name: 'Notification Details' }).waitFor()
    await page.getByText('Text of notice 1', { exact: true }).waitFor()

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
