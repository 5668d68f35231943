import { test } from 'vitest'
import { eventually } from '@portal/system-tests/testing/portal-process'
import { phone } from './browser.ts'
import { expect } from './expect.ts'
import { logOut, setUpJourneys, waitForIdle } from './journeys.ts'
import { startLearnersPortal } from './portals.ts'
import {
  allowPush,
  extendWorkerTimeouts,
  analyticsEvents,
  pushClient,
  createPushSender,
  shownNotifications,
  tapNotification,
} from './push-provider.ts'

const pushToken = 'a-push-token'
/** If the page does not answer the worker in time, the worker shows the push, and the events of the page say so. */
const longerThanWorkerMs = 30_000

const { portal, newContext, openAs, signIn, send, findSentMessage } = setUpJourneys(
  () => startLearnersPortal(2, { FCM_WEB_CONFIG: JSON.stringify(pushClient), SEEN_GRACE_MS: '500' }),
  'whole',
)

/** Signs in and saves a push token on the server. */
const signInWithPush = async (learner: number) => {
  const context = await newContext(phone, 'allow')
  const providerRequests = await allowPush(context, pushToken)
  // The page redirects by itself, and may save the token before the test goes on.
  const saved: number[] = []
  context.on('response', (response) => {
    if (new URL(response.url()).pathname === '/notifications/token') saved.push(response.status())
  })
  const page = await signIn(context, portal().learner(learner))
  expect(providerRequests).toEqual([])
  await page.waitForURL('**/home')
  await expect.poll(() => saved).toEqual([200])
  expect(await page.evaluate(() => localStorage.getItem('fcm_token'))).toBe(pushToken)
  expect(providerRequests).toContain('POST fcmregistrations.googleapis.com')
  await extendWorkerTimeouts(page)
  return { page, providerRequests }
}

test(
  '[F-1 F-24] a learner without an open tab gets a push, shown once per tag, and a tap opens the notification',
  { tags: ['essential'] },
  async () => {
    const { page } = await signInWithPush(1)
    const push = await createPushSender(page)
    await page.goto('about:blank')
    const text = { title: 'Exam moved', message: 'On Monday at ten.', type: 'Exam' } as const
    const [notificationId = ''] = await send([portal().learner(1)], text)
    const url = `/notification/${notificationId}`
    // Without a push provider, the server writes the push to the outbox.
    expect(await findSentMessage(pushToken, ({ link }) => link === url)).toMatchObject({
      channel: 'push',
      subject: 'Exam moved',
    })

    const data = { notificationId, title: 'Exam moved', body: 'On Monday at ten.', url, type: 'Exam' }
    await push(data)
    await push(data)
    // The worker would ask a page that opens meanwhile, which does not listen yet.
    await expect.poll(() => shownNotifications(page)).not.toEqual([])
    // The page's last request before it listens for messages of the worker.
    const listening = page.waitForResponse((response) => response.url().endsWith('/notifications/push-config'))
    await page.goto('/home')
    const shown = [
      { title: 'Exam moved', body: 'On Monday at ten.', tag: notificationId, icon: '/icons/icon-192.png', url },
    ]
    expect(await shownNotifications(page)).toEqual(shown)

    await (await listening).finished()
    await tapNotification(page, notificationId)
    await page.waitForURL(`**${url}`)
    await page.getByRole('heading', { name: 'Notification Details' }).waitFor()
    expect(await analyticsEvents(page)).toContainEqual({ event: 'notification_open', url })
    expect(await shownNotifications(page)).toEqual([])
  },
)

test('what was pushed is closed once it is read elsewhere, or its reader logs out', async () => {
  const { page } = await signInWithPush(1)
  const push = await createPushSender(page)
  const [first = '', second = ''] = await send([portal().learner(1)], { title: 'Room 1' }, { title: 'Room 2' })
  for (const notificationId of [first, second])
    await push({ notificationId, title: 'Room', body: 'Has changed.', url: '' })
  // The browser lists them in no order.
  const shown = async () => (await shownNotifications(page)).map(({ tag }) => tag).toSorted()
  await expect.poll(shown).toEqual([first, second].toSorted())
  const elsewhere = await openAs(portal().learner(1), `/notification/${first}`)
  await elsewhere.getByRole('heading', { name: 'Room 1' }).waitFor()
  await expect.poll(shown).toEqual([second])

  await page.getByRole('link', { name: 'Profile' }).click()
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  await waitForIdle(page)
  await logOut(page)
  await expect.poll(shown).toEqual([])
})

test('[F-23] a visible page handles the push itself, and a logout deletes the token', async () => {
  const { page, providerRequests } = await signInWithPush(2)
  const push = await createPushSender(page)
  const data = { notificationId: 'n1', title: 'Fees', body: 'Are due.', url: '/payment', type: 'General' }
  await push({ ...data, notificationId: 'n0', body: '' })
  await push(data)
  const shown = [{ title: 'Fees', body: 'Are due.', tag: 'n1', icon: '/icons/icon-192.png', url: '/payment' }]
  expect(
    await eventually(
      'it is shown',
      async () => (await shownNotifications(page)).length > 0 && shownNotifications(page),
      longerThanWorkerMs,
    ),
  ).toEqual(shown)
  expect(await analyticsEvents(page)).toEqual([
    { event: 'notification_foreground', notificationId: 'n0' },
    { event: 'notification_foreground', notificationId: 'n1' },
  ])

  await page.getByRole('link', { name: 'Profile' }).click()
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  await waitForIdle(page)
  await logOut(page)
  await page.waitForURL('**/login')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('fcm_token'))).toBeNull()
  await expect.poll(() => providerRequests).toContain('DELETE fcmregistrations.googleapis.com')
})
