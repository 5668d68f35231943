import { changePreferences, type PreferencesChange } from '@portal/contracts/notifications/preferences'
import { callRoute } from '@portal/system-tests/testing/api-client'
import { type LocalPushService, startLocalPushService } from '@portal/system-tests/testing/local-push-service'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, test } from 'vitest'
import { desktop, phone } from './browser.ts'
import { expect } from './expect.ts'
import { setUpJourneys } from './journeys.ts'
import { startLearnersPortal } from './portals.ts'
import { createPushSender, extendWorkerTimeouts, shownNotifications, tapNotification } from './push-provider.ts'

let service: LocalPushService | undefined

const { portal, newContext, openAs, openAsAdmin, signIn, send } = setUpJourneys(async () => {
  service = await startLocalPushService()
  return startLearnersPortal(4, { ...service.settings, SEEN_GRACE_MS: '500' })
}, 'whole')
afterAll(() => service?.stop())

/** Chromium has no push service here. Only its subscription is another one; the worker and its notifications are real. */
const subscribeAtService = async (context: BrowserContext): Promise<readonly string[]> => {
  const tokens: string[] = []
  await context.exposeFunction('subscribeAtService', (key: string): unknown => {
    const token = service?.subscribe(key) ?? ''
    tokens.push(token)
    return JSON.parse(Buffer.from(token.slice('webpush:'.length), 'base64url').toString())
  })
  await context.addInitScript(`
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      const json = await subscribeAtService(applicationServerKey)
      return { toJSON: () => json, unsubscribe: async () => true }
    }`)
  await context.grantPermissions(['notifications'])
  return tokens
}

/** Signs in, and waits until the server has the token. */
const signInWithPush = async (learner: number, viewport = phone) => {
  const context = await newContext(viewport, 'allow')
  const tokens = await subscribeAtService(context)
  const saved: number[] = []
  context.on('response', (response) => {
    if (new URL(response.url()).pathname === '/notifications/token') saved.push(response.status())
  })
  const page = await signIn(context, portal().learner(learner))
  await page.waitForURL('**/home')
  await expect.poll(() => saved).toEqual([200])
  return { page, tokens }
}

test(
  '[F-1 F-2 F-24] without an account at a provider, a learner without an open tab gets a push that only the browser can read, and one read elsewhere is closed by the next',
  { tags: ['essential'] },
  async () => {
    const { page, tokens } = await signInWithPush(1)
    expect(await page.evaluate(() => localStorage.getItem('fcm_token'))).toBe(tokens[0])
    await extendWorkerTimeouts(page)
    const push = await createPushSender(page, {})
    await page.goto('about:blank')

    const [readElsewhere = ''] = await send([portal().learner(1)], { title: 'Room 1' })
    await expect.poll(() => service?.received.length).toBe(1)
    await push(service?.received[0]?.data ?? {})
    await expect.poll(async () => (await shownNotifications(page)).map(({ tag }) => tag)).toEqual([readElsewhere])
    const elsewhere = await openAs(portal().learner(1), '/notification')
    const read = elsewhere.waitForResponse((response) => response.url().endsWith(`/${readElsewhere}/read`))
    await elsewhere.getByRole('link', { name: /Room 1/ }).click()
    await read
    await elsewhere.close()

    const text = { title: 'Exam moved', message: 'On Monday at ten.', type: 'Exam' } as const
    const [notificationId = ''] = await send([portal().learner(1)], text)
    const url = `/notification/${notificationId}`
    await expect.poll(() => service?.received.length).toBe(2)
    const [, received] = service?.received ?? []
    expect(received).toMatchObject({ token: tokens[0], headers: { urgency: 'high', ttl: '86400' } })
    await push(received?.data ?? {})
    await push(received?.data ?? {})
    const shown = [
      { title: 'Exam moved', body: 'On Monday at ten.', tag: notificationId, icon: '/icons/icon-192.png', url },
    ]
    await expect.poll(() => shownNotifications(page)).toEqual(shown)

    const listening = page.waitForResponse((response) => response.url().endsWith('/notifications/push-key'))
    await page.goto('/home')
    await (await listening).finished()
    await tapNotification(page, notificationId)
    await page.waitForURL(`**${url}`)
    await page.getByRole('heading', { name: 'Notification Details' }).waitFor()
  },
)

test(
  '[X-30 X-33 X-34] a learner tests this device, removes another one, and turns notifications off and on',
  { tags: ['essential'] },
  async () => {
    const { page } = await signInWithPush(2)
    await signInWithPush(2, desktop)
    await extendWorkerTimeouts(page)
    const push = await createPushSender(page, {})
    await page.getByRole('link', { name: 'Profile' }).click()
    await page.getByRole('link', { name: 'Notification settings' }).click()
    await page.getByText('Notifications are on').waitFor()
    const rows = page.getByRole('region', { name: 'Your devices' }).getByRole('listitem')
    await expect(rows).toHaveCount(2)

    const before = service?.received.length ?? 0
    await rows
      .filter({ hasText: 'This device' })
      .getByRole('button', { name: /^Send a test/ })
      .press('Enter')
    await expect.poll(() => service?.received.length).toBe(before + 1)
    await push(service?.received.at(-1)?.data ?? {})
    await rows.getByText(/^Shown after \d\.\d s\./).waitFor()

    await rows.getByRole('button', { name: /^Remove/ }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter')
    await expect(rows).toHaveCount(1)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

    await page.getByRole('button', { name: 'Turn off' }).press('Enter')
    await page.getByText('Notifications are off').waitFor()
    const listed = page.waitForResponse((response) => response.url().endsWith('/user/devices'))
    await page.reload()
    await (await listed).finished()
    await page.getByText('Notifications are off').waitFor()
    await page.getByRole('button', { name: 'Turn on' }).press('Enter')
    await page.getByText('Notifications are on').waitFor()
    await expect(rows).toHaveCount(1)
  },
)

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** '07:00', as clocks show it in UTC. */
const timeIn = (ms: number): string => new Date(Date.now() + ms).toISOString().slice(11, 16)

/** Sets the quiet hours of the page's user without an open page, which would show what is held. */
const quietHoursOf = async (page: Page) => {
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  return (quietHours: PreferencesChange['quietHours']) =>
    callRoute(portal().address, changePreferences, { token, body: { push: {}, email: {}, quietHours } })
}

test(
  '[X-37 E-6] in quiet hours a push is held, which the admin sees, and goes out when the learner ends them',
  { tags: ['essential'] },
  async () => {
    const learner = portal().learner(3)
    const { page } = await signInWithPush(3)
    const choose = await quietHoursOf(page)
    await choose({ from: timeIn(-hourMs), to: timeIn(2 * hourMs), timeZone: 'UTC' })
    await page.goto('about:blank')
    const before = service?.received.length ?? 0
    const [id = ''] = await send([learner], { title: 'Room 12' })

    const console = await openAsAdmin(`/admin/notifications/${id}`, desktop)
    await console
      .getByText(/^1 held until /)
      .first()
      .waitFor()
    await console.getByRole('row', { name: /The push waits, because of quiet hours/ }).waitFor()
    expect(service?.received.length).toBe(before)

    await choose(null)
    await expect.poll(() => service?.received.length).toBe(before + 1)
    await expect(console.getByText(/^1 held until /)).toHaveCount(0)
  },
)

test(
  'two pushes that were held come as one summary when the quiet hours end, and it opens the inbox',
  { timeout: 5 * minuteMs },
  async () => {
    const { page } = await signInWithPush(4)
    await extendWorkerTimeouts(page)
    const push = await createPushSender(page, {})
    const choose = await quietHoursOf(page)
    await choose({ from: timeIn(-hourMs), to: timeIn(minuteMs + 20_000), timeZone: 'UTC' })
    await page.goto('about:blank')
    const before = service?.received.length ?? 0
    for (const title of ['Room 13', 'Room 14']) await send([portal().learner(4)], { title })
    await expect.poll(() => service?.received.length, { timeout: 3 * minuteMs }).toBe(before + 1)
    await push(service?.received.at(-1)?.data ?? {})
    await expect
      .poll(async () => (await shownNotifications(page)).map(({ title, body, url }) => ({ title, body, url })))
      .toEqual([{ title: '2 new notifications', body: 'Room 14\nRoom 13', url: '/notification' }])
  },
)
