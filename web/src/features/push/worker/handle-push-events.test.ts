import { secondLanguages } from '@portal/contracts/shared/languages'
import { describe, expect, it } from 'vitest'
import { fakeWorker } from '../testing/fake-worker.ts'
import { workerMessageSchema } from '../worker-messages.ts'

const data = {
  notificationId: 'n1',
  title: 'Exam',
  body: 'On Monday',
  icon: '/icons/icon-192.png',
  url: '/notification/n1',
  type: 'Exam',
}
const shown = {
  title: 'Exam',
  body: 'On Monday',
  icon: '/icons/icon-192.png',
  tag: 'n1',
  data: { url: '/notification/n1' },
}

const answerOf = (unread: number, ...items: readonly { _id: string; isRead: boolean; withdrawnAt?: string }[]) => ({
  ok: true,
  body: { success: true, unread, notifications: items },
})

describe('a push that the worker shows', () => {
  /** A worker that shows the pushes of n1 to n3. */
  const showingThree = async (answer: () => { ok: boolean; body: unknown }, hasBadge?: boolean) => {
    const worker = fakeWorker([], { answer, ...(hasBadge && { hasBadge }) })
    for (const notificationId of ['n1', 'n2', 'n3']) await worker.receives({ data: { ...data, notificationId } })
    return { ...worker, tags: () => worker.shown.map(({ tag }) => tag) }
  }

  it('closes those before it that were read or withdrawn elsewhere, and no other', async () => {
    const items = [
      { _id: 'n3', isRead: true },
      { _id: 'n2', isRead: true },
      { _id: 'n1', isRead: false, withdrawnAt: '2026-11-21T03:35:00.000Z' },
    ]
    const answers = [answerOf(2, { _id: 'n1', isRead: false }), answerOf(1, ...items)]
    const worker = await showingThree(() => answers.shift() ?? answerOf(0))
    // Browsers do not accept that the new one is closed, too.
    expect(worker.tags()).toEqual(['n3'])
    // The first one had nothing to close.
    expect(worker.requests).toEqual(['/notifications?limit=50', '/notifications?limit=50'])
  })
  it('[N-36] shows the count of the server on the icon of the app', async () => {
    const counts = [1, 2, 0]
    const worker = await showingThree(() => answerOf(counts.shift() ?? 0), true)
    expect(worker.badges).toEqual([1, 2, 0])
    // Nothing is unread, also what the answer does not list.
    expect(worker.tags()).toEqual(['n3'])
  })
  it('leaves everything as it is without an answer of the portal', async () => {
    for (const answer of [
      () => ({ ok: false, body: { success: false, unread: 0, notifications: [] } }),
      () => ({ ok: true, body: '<!doctype html>' }),
      () => {
        throw new TypeError('Failed to fetch')
      },
    ]) {
      const worker = await showingThree(answer, true)
      expect([worker.tags(), worker.badges]).toEqual([['n1', 'n2', 'n3'], []])
    }
  })
})

describe('a push', () => {
  it('[F-1 F-3] is shown with its tag while no page is visible', async () => {
    const worker = fakeWorker([{ visibilityState: 'hidden' }])
    await worker.receives({ data, from: '1', fcmMessageId: 'x' })
    expect(worker.shown).toEqual([shown])
    expect(worker.messages).toEqual([])
    // Not twice while it is displayed.
    await worker.receives({ data: { ...data, body: 'Again' } })
    await worker.receives({ data: { ...data, notificationId: 'n2' } })
    expect(worker.shown.map(({ tag }) => tag)).toEqual(['n1', 'n2'])
  })
  it('[C-24] has the language of its text', async () => {
    const worker = fakeWorker()
    await worker.receives({ data: { ...data, lang: 'hi' } })
    expect(worker.shown).toEqual([{ ...shown, lang: 'hi' }])
    const page = fakeWorker([{ visibilityState: 'visible', focused: true }])
    await page.receives({ data: { ...data, lang: 'hi' } })
    expect(workerMessageSchema.parse(page.messages[0]?.message)).toMatchObject({ message: { lang: 'hi' } })
  })
  it.each(secondLanguages)('in %s has the direction of its script', async (lang) => {
    const worker = fakeWorker()
    await worker.receives({ data: { ...data, lang } })
    const isArabic = new Intl.Locale(lang).maximize().script === 'Arab'
    expect(worker.shown).toEqual([{ ...shown, lang, ...(isArabic && { dir: 'rtl' }) }])
  })
  it('is passed to a visible page as a valid message', async () => {
    const worker = fakeWorker([{ visibilityState: 'hidden' }, { visibilityState: 'visible', focused: true }])
    await worker.receives({ data })
    expect(worker.shown).toEqual([])
    expect(worker.messages.map(({ page }) => page)).toEqual([1])
    expect(workerMessageSchema.parse(worker.messages[0]?.message)).toEqual({
      kind: 'push-received',
      postedAtMs: expect.any(Number),
      message: { notificationId: 'n1', title: 'Exam', body: 'On Monday', url: '/notification/n1' },
    })
  })
  it('is shown if that page does not listen', async () => {
    const worker = fakeWorker([{ visibilityState: 'visible', listens: false }])
    await worker.receives({ data })
    expect(worker.shown).toEqual([shown])
  })
  it('[F-3] from the console of the provider is supported', async () => {
    const worker = fakeWorker()
    const notification = { title: 'Hello', body: 'World', icon: '/icons/x.png', image: '/media/x.png' }
    await worker.receives({ notification, fcmOptions: { link: '/home' } })
    expect(worker.shown).toEqual([{ ...notification, data: { url: '/home' } }])
  })
  it('with any other content shows a default notification', async () => {
    const worker = fakeWorker()
    for (const payload of [null, 7, [], { data: 'x' }, { data: { title: 1, url: {} } }]) await worker.receives(payload)
    await worker.receivesText('no JSON')
    expect(worker.shown).toHaveLength(6)
    for (const one of worker.shown)
      expect(one).toMatchObject({ title: 'Notification', body: '', data: { url: '/notification' } })
  })
  it('never links to another origin', async () => {
    const worker = fakeWorker()
    const urls = [
      'https://evil.example/',
      '//evil.example/x',
      'javascript:alert(1)',
      'https://portal.example/home?a=1#b',
    ]
    for (const [index, url] of urls.entries())
      await worker.receives({ data: { ...data, notificationId: `${index}`, url } })
    expect(worker.shown.map((one) => one.data)).toEqual([
      { url: '/notification' },
      { url: '/notification' },
      { url: '/notification' },
      { url: '/home?a=1#b' },
    ])
  })
})

describe('a click', () => {
  it('focuses an open tab of a signed-in user, which opens the page', async () => {
    const worker = fakeWorker([{ listens: false }, { visibilityState: 'visible', listens: false }, {}])
    await worker.isClicked('/notification/n1')
    expect(worker.messages.map(({ page }) => page)).toEqual([1, 0, 2])
    expect(workerMessageSchema.parse(worker.messages[0]?.message)).toEqual({
      kind: 'push-opened',
      postedAtMs: expect.any(Number),
      url: '/notification/n1',
    })
    expect(worker.focused).toEqual([2])
    expect(worker.opened).toEqual([])
  })
  it('[F-24] opens a window without such a tab', async () => {
    const worker = fakeWorker([{ listens: false }])
    await worker.isClicked('/notification?page=2')
    expect(worker.opened).toEqual(['https://portal.example/notification?page=2&opened=push'])
  })
  it('opens only pages of the portal', async () => {
    const worker = fakeWorker()
    await worker.isClicked('https://evil.example/')
    await worker.isClicked(undefined)
    expect(worker.opened).toEqual([
      'https://portal.example/notification?opened=push',
      'https://portal.example/notification?opened=push',
    ])
  })
})

describe('a subscription that the browser changes', () => {
  it('is unsubscribed, and one open page requests a new token', async () => {
    const worker = fakeWorker([{}, {}])
    await worker.losesSubscription()
    expect(worker.isUnsubscribed()).toBe(true)
    expect(worker.messages.map(({ message }) => workerMessageSchema.parse(message))).toEqual([
      { kind: 'push-subscription-changed' },
    ])
  })
})
