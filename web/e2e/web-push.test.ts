import { type LocalPushService, startLocalPushService } from '@portal/system-tests/testing/local-push-service'
import type { BrowserContext } from 'playwright-core'
import { afterAll, test } from 'vitest'
import { phone } from './browser.ts'
import { expect } from './expect.ts'
import { setUpJourneys } from './journeys.ts'
import { startLearnersPortal } from './portals.ts'
import { createPushSender, extendWorkerTimeouts, shownNotifications, tapNotification } from './push-provider.ts'

let service: LocalPushService | undefined

const { portal, newContext, signIn, send } = setUpJourneys(async () => {
  service = await startLocalPushService()
  return startLearnersPortal(1, { ...service.settings, SEEN_GRACE_MS: '500' })
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

test(
  '[F-1 F-2 F-24] without an account at a provider, a learner without an open tab gets a push that only the browser can read',
  { tags: ['essential'] },
  async () => {
    const context = await newContext(phone, 'allow')
    const tokens = await subscribeAtService(context)
    const saved: number[] = []
    context.on('response', (response) => {
      if (new URL(response.url()).pathname === '/notifications/token') saved.push(response.status())
    })
    const page = await signIn(context, portal().learner(1))
    await page.waitForURL('**/home')
    await expect.poll(() => saved).toEqual([200])
    expect(await page.evaluate(() => localStorage.getItem('fcm_token'))).toBe(tokens[0])
    await extendWorkerTimeouts(page)
    const push = await createPushSender(page, {})
    await page.goto('about:blank')

    const text = { title: 'Exam moved', message: 'On Monday at ten.', type: 'Exam' } as const
    const [notificationId = ''] = await send([portal().learner(1)], text)
    const url = `/notification/${notificationId}`
    await expect.poll(() => service?.received.length).toBe(1)
    const [received] = service?.received ?? []
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
