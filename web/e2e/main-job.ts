import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { callRoute, logIn } from '../../services/system-tests/src/testing/api-client.ts'
import { admin, eventually } from '../../services/system-tests/src/testing/portal-process.ts'
import { sendNotification } from '@portal/contracts/notifications/http'
import { desk, gatewayOf, launchBrowser, openPage, phone } from './browser.ts'

/** A running portal with three learners of one password. */
export type JourneyPortal = {
  readonly address: string
  /** How many gateways stand behind the address. */
  readonly gateways: 1 | 2
  readonly dataDir: string
  readonly learnerEmails: readonly [string, string, string]
  readonly learnerPassword: string
  stop(): Promise<unknown>
}

/** The main job, as its users do it: in a real browser against the real processes, whichever they are. */
export const mainJob = (startPortal: () => Promise<JourneyPortal>): void => {
  let browser: Browser
  let portal: JourneyPortal
  const contexts: BrowserContext[] = []
  const problems: string[] = []

  beforeAll(async () => {
    portal = await startPortal()
    browser = await launchBrowser()
  })
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
    expect(problems.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await portal?.stop()
  })

  const newContext = async (viewport = phone): Promise<BrowserContext> => {
    const context = await browser.newContext({ viewport, baseURL: portal.address })
    contexts.push(context)
    return context
  }

  const signIn = async (context: BrowserContext, email: string, password: string): Promise<Page> => {
    const page = await openPage(context, problems)
    await page.goto('/login')
    await page.getByLabel('Email', { exact: false }).first().fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Login' }).click()
    await page.getByText('Login successful! Redirecting...').waitFor()
    return page
  }

  /** The balancer goes round: the last tab is loaded again until it is not with the gateway of the first. */
  const untilAtGateways = async ([firstTab, ...others]: readonly Page[], gateways: 1 | 2): Promise<void> => {
    const lastTab = others.at(-1)
    if (!firstTab || !lastTab) throw new Error('There are too few tabs')
    await eventually('the tabs are connected', () => gatewayOf(firstTab) && gatewayOf(lastTab))
    for (let tries = 0; gateways === 2 && gatewayOf(lastTab) === gatewayOf(firstTab) && tries < 10; tries++) {
      const connected = lastTab.waitForEvent('websocket')
      await lastTab.reload()
      await (await connected).waitForEvent('framereceived')
    }
    expect(new Set([gatewayOf(firstTab), gatewayOf(lastTab)]).size).toBe(gateways)
  }

  type OutboxLine = { readonly channel: string; readonly to: string; readonly code?: string }
  const outbox = async (): Promise<OutboxLine[]> => {
    const text = await readFile(join(portal.dataDir, 'outbox.jsonl'), 'utf8').catch(() => '')
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line): OutboxLine => JSON.parse(line))
  }

  test('a learner registers with the codes from the outbox and lands at home', async () => {
    const page = await openPage(await newContext(), problems)
    await page.goto('/register')
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
    const codes = await eventually('both codes are in the outbox', async () => {
      const lines = await outbox()
      const byMail = lines.find((line) => line.channel === 'email' && line.to === 'asha@example.com')?.code
      const bySms = lines.find((line) => line.channel === 'sms' && line.to.includes('9876543210'))?.code
      return byMail && bySms ? { byMail, bySms } : undefined
    })
    await page.getByLabel(/email otp/i).fill(codes.byMail)
    await page.getByLabel(/phone otp/i).fill(codes.bySms)
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('Account created successfully! Redirecting to home page...').waitFor()
    await page.waitForURL('**/home')
  })

  test('what an admin sends stands on two learners’ three open tabs within a second; reading is in step', async () => {
    const first = await newContext()
    const second = await newContext()
    const tabs = [await signIn(first, portal.learnerEmails[0], portal.learnerPassword)]
    await tabs[0]?.waitForURL('**/home')
    tabs.push(await openPage(first, problems), await signIn(second, portal.learnerEmails[1], portal.learnerPassword))
    await tabs[2]?.waitForURL('**/home')
    for (const tab of tabs) {
      await tab.goto('/notification')
      await tab.getByText('No notifications yet.').waitFor()
    }
    await untilAtGateways(tabs, portal.gateways)

    const desktop = await newContext(desk)
    const adminPage = await signIn(desktop, admin.email, admin.password)
    await adminPage.waitForURL('**/admin/dashboard')
    await adminPage.getByRole('link', { name: 'Notifications' }).click()
    await adminPage.getByRole('textbox', { name: 'Title' }).fill('The hall is closed')
    await adminPage.getByRole('textbox', { name: 'Message' }).fill('Please come to room 12 instead.')
    for (const email of portal.learnerEmails.slice(0, 2)) {
      await adminPage
        .getByRole('searchbox')
        .or(adminPage.getByLabel(/search/i))
        .first()
        .fill(email)
      await adminPage.getByRole('checkbox', { name: new RegExp(email) }).check()
    }
    const arrived = tabs.map(async (tab) => {
      const start = performance.now()
      await tab
        .getByRole('link', { name: /The hall is closed/ })
        .or(tab.getByRole('button', { name: /The hall is closed/ }))
        .first()
        .waitFor()
      return performance.now() - start
    })
    await adminPage.getByRole('button', { name: /^send/i }).click()
    const times = await Promise.all(arrived)
    for (const timeMs of times) expect(timeMs).toBeLessThan(1_500) // the click included
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

  test('a notification far down the list opens by its address, and one that is not there says so', async () => {
    const { token } = await logIn(portal.address, admin.email, admin.password)
    const learner = await logIn(portal.address, portal.learnerEmails[2], portal.learnerPassword)
    const ids: string[] = []
    for (let n = 1; n <= 25; n++) {
      const { notificationId } = await callRoute(portal.address, sendNotification, {
        token,
        body: { userIds: [learner.userId], title: `Notice ${n}`, message: `Text of notice ${n}`, type: 'General' },
      })
      ids.push(notificationId)
    }
    const page = await signIn(await newContext(), portal.learnerEmails[2], portal.learnerPassword)
    await page.waitForURL('**/home')
    await page.goto(`/notification/${ids[0]}`)
    await page.getByText('Notification Details').waitFor()
    await page.getByText('Text of notice 1', { exact: true }).waitFor()

    await page.goto('/notification?page=3')
    await page.getByText('Showing 21 to 25 of 25 notifications').waitFor()
    await page.reload()
    await page.getByText('Showing 21 to 25 of 25 notifications').waitFor()

    await page.goto('/notification/0199a7c0-0000-7000-8000-000000000000')
    await page.getByText('Notification not found').first().waitFor()
    await page.waitForURL('**/notification')
    problems.splice(0, problems.length, ...problems.filter((problem) => !problem.includes('404')))
  })
}
