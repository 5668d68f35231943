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
