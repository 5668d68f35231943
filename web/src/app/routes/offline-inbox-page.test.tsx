import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readKeptInbox } from '../../features/notifications/kept-inbox.ts'
import { idOf, type FakeInbox } from '../../testing/fake-inbox.ts'
import { aUser, problem, type FakeAnswer } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'

let app: OpenApp

const kept = () => localStorage.getItem('kept_inbox')
const setNetwork = (online: boolean) => {
  app.setOnline(online)
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online)
  act(() => void window.dispatchEvent(new Event(online ? 'online' : 'offline')))
}
const fillWith = (count: number) => (inbox: FakeInbox) => {
  for (let n = 0; n < count; n++) inbox.arrive()
}
const row = (n: number) => screen.queryByRole('link', { name: new RegExp(`Notice ${n}\\b`) })
const findRow = (n: number) => screen.findByRole('link', { name: new RegExp(`Notice ${n}\\b`) })
const lastUpdated = () => screen.queryByText(/^Last updated/)

/** What a visit online leaves on the device, after `act` changed the inbox. */
const keepOnVisit = async ({
  count = 3,
  path = '/notification',
  change = () => undefined,
  until = () => undefined,
  keptInbox,
}: {
  count?: number
  path?: string
  change?: (inbox: FakeInbox) => void
  until?: () => unknown
  keptInbox?: string
} = {}) => {
  app = await openApp({ path, user: aUser(), setUpInbox: fillWith(count), ...(keptInbox && { keptInbox }) })
  await waitFor(() => expect(app.seen.length).toBeGreaterThan(0))
  if (path === '/notification') await waitFor(() => expect(kept()).not.toBeNull())
  const before = kept()
  app.updateInbox(change)
  await until()
  if (app.inbox.head().seq > count) await waitFor(() => expect(kept()).not.toBe(before))
  const left = kept()
  await app.close()
  return left ?? ''
}

let keptOfThree: Promise<string> | undefined
/** What a visit with three notifications leaves. It is the same for every test. */
const keptOnVisit = () => (keptOfThree ??= keepOnVisit())

type Opening = Partial<Parameters<typeof openApp>[0]>
/** Opens the portal again in the same session, without a network. */
const openOffline = async (keptInbox: string, options: Opening = {}) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  app = await openApp({
    path: '/notification',
    user: aUser(),
    setUpInbox: fillWith(3),
    startsOnline: false,
    keptInbox,
    ...options,
  })
}

afterEach(async () => {
  vi.useRealTimers()
  await app.close()
  vi.restoreAllMocks()
})

describe('the inbox without a network', () => {
  it('[N-32] shows the last known list with its time, and its notifications, and marks as read when it is back', async () => {
    const keptInbox = await keptOnVisit()
    await openOffline(keptInbox)
    await findRow(3)
    expect(row(1)).not.toBeNull()
    expect(lastUpdated()?.textContent).toMatch(/^Last updated \d{1,2}:\d\d [AP]M$/)
    expect(screen.queryByText(/Failed to load/)).toBeNull()
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
    expect(screen.queryByText(/\d unread/)).toBeNull()
    await app.user.click(await findRow(2))
    await screen.findByText('The text of notice 2.')
    expect(screen.queryByRole('alert')).toBeNull()
    setNetwork(true)
    await waitFor(() => expect(app.inbox.head().unread).toBe(2))
    await app.close()

    await openOffline(keptInbox, { path: `/notification/${idOf(1)}` })
    await screen.findByText('The text of notice 1.')
    expect(screen.queryByText(/Failed to load/)).toBeNull()
  })

  it('is also on the home page', async () => {
    await openOffline(await keepOnVisit({ count: 4 }), { path: '/home' })
    const latest = within(await screen.findByRole('region', { name: 'Latest notifications' }))
    await latest.findByRole('link', { name: /Notice 4/ })
    expect(latest.queryByRole('link', { name: /Notice 1/ })).toBeNull()
    expect(latest.getByText(/^Last updated/)).toBeDefined()
  })

  it('has only the first page', async () => {
    const keptInbox = await keepOnVisit({ count: 12 })
    for (const path of ['/notification?page=2', '/notification?filter=unread', `/notification/${idOf(1)}`]) {
      await openOffline(keptInbox, { path })
      expect((await screen.findAllByText(/^Failed to load notification/)).length).toBeGreaterThan(0)
      expect(screen.queryByText(/notice/i)).toBeNull()
      await app.close()
    }
  })

  it('fails as before if what was kept is corrupt', async () => {
    await openOffline('corrupt')
    await screen.findByText('Failed to load notifications. Please try again later.')
    expect(kept()).toBeNull()
  })

  it('sends nothing of the kept list to the server, and shows what it answers', async () => {
    // The kept list has a higher number than the server, as after a restore.
    await openOffline(await keepOnVisit({ count: 30 }))
    await findRow(30)
    expect(app.seen).toEqual([])
    setNetwork(true)
    await screen.findByText('Showing 1 to 3 of 3 notifications')
    expect(row(30)).toBeNull()
    expect(lastUpdated()).toBeNull()
    await screen.findByText('3 unread')
    await waitFor(() => expect(app.seen.length).toBeGreaterThan(0))
    expect(new Set(app.seen)).toEqual(new Set([3]))
    expect(app.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  it('replaces a kept notification that was withdrawn as soon as the server answers', async () => {
    const keptInbox = await keptOnVisit()
    const setUpInbox = (inbox: FakeInbox) => {
      fillWith(3)(inbox)
      inbox.recall(idOf(2))
    }
    await openOffline(keptInbox, { setUpInbox })
    await findRow(2)
    setNetwork(true)
    await screen.findByText('This notification was withdrawn')
    expect(row(2)).toBeNull()
    await app.close()
    await openOffline(keptInbox, { setUpInbox, path: `/notification/${idOf(2)}` })
    await screen.findByText('The text of notice 2.')
    setNetwork(true)
    expect((await screen.findAllByText('Notification not found')).length).toBeGreaterThan(0)
    expect(screen.queryByText('The text of notice 2.')).toBeNull()
  })
})

describe('a server that cannot be reached', () => {
  it('loads the list when it is back, though the browser has not noticed', async () => {
    app = await openApp({
      path: '/notification',
      user: aUser(),
      setUpInbox: fillWith(4),
      startsOnline: false,
      keptInbox: await keptOnVisit(),
    })
    await findRow(3)
    expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined()
    app.setOnline(true)
    await findRow(4)
    expect(lastUpdated()).toBeNull()
  })

  it('is given three seconds before the kept list is shown, which its answer replaces', async () => {
    const keptInbox = await keptOnVisit()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    const { promise, resolve } = Promise.withResolvers<FakeAnswer>()
    app = await openApp({
      path: '/notification',
      user: aUser(),
      keptInbox,
      answers: { 'GET /notifications': () => promise, 'GET /notifications/unread/count': () => promise },
    })
    await screen.findByRole('status', { name: 'Loading notifications' })
    expect(row(3)).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(3_000))
    await findRow(3)
    expect(lastUpdated()).not.toBeNull()
    resolve(problem(503, 'unavailable', 'Not now'))
    await screen.findByText('Failed to load notifications. Please try again later.')
    expect(row(3)).toBeNull()
  })
})

describe('what is kept', () => {
  it('follows the changes of the list', async () => {
    const keptInbox = await keepOnVisit({
      change: (inbox) => {
        inbox.recall(idOf(1))
        inbox.read(idOf(2))
        inbox.arrive()
      },
    })
    await openOffline(keptInbox)
    expect((await findRow(4)).textContent).toContain('Unread')
    expect(row(2)?.textContent).not.toContain('Unread')
    expect(row(1)).toBeNull()
    expect(screen.getByText('This notification was withdrawn')).toBeDefined()
  })

  it('follows them also while another page shows nothing of them', async () => {
    const keptInbox = await keptOnVisit()
    const later = await keepOnVisit({ path: '/profile', keptInbox, change: (inbox) => void inbox.recall(idOf(2)) })
    expect(later).not.toBe('')
    await openOffline(later)
    await findRow(3)
    expect(row(2)).toBeNull()
  })

  it('is loaded again by a page without a list if it misses changes', async () => {
    const keptInbox = await keptOnVisit()
    const later = await keepOnVisit({
      count: 5,
      path: '/profile',
      keptInbox,
      until: () => waitFor(() => expect([null, keptInbox]).not.toContain(kept())),
    })
    await openOffline(later)
    await findRow(5)
  })

  it('is removed if it misses changes and cannot be loaded', async () => {
    const keptInbox = await keptOnVisit()
    app = await openApp({
      path: '/profile',
      user: aUser(),
      setUpInbox: fillWith(5),
      keptInbox,
      answers: { 'GET /notifications': () => problem(503, 'unavailable', 'Not now') },
    })
    await waitFor(() => expect(kept()).toBeNull())
    app.updateInbox((inbox) => inbox.arrive())
    await waitFor(() => expect(app.seen).toContain(6))
    expect(app.requests.filter(({ path }) => path === '/notifications')).toHaveLength(1)
    expect(kept()).toBeNull()
  })

  it.each(['/notification', '/profile'])('is loaded again after the inbox was renumbered, on %s', async (path) => {
    const keptInbox = await keptOnVisit()
    app = await openApp({ path, user: aUser(), setUpInbox: fillWith(3), keptInbox })
    await waitFor(() => expect(app.seen).toContain(3))
    app.inbox.renumber('second', 1)
    app.emit('inbox:changed', { ...app.inbox.head(), changes: [] })
    await waitFor(async () => expect((await readKeptInbox())?.page.epoch).toBe('second'))
    const later = kept() ?? ''
    await app.close()
    await openOffline(later)
    await findRow(3)
    expect(row(2)).toBeNull()
  })

  it('has no reads that the server has not confirmed', async () => {
    app = await openApp({
      path: '/notification',
      user: aUser(),
      setUpInbox: fillWith(2),
      answers: { 'PUT /notifications/:id/read': () => new Promise(() => {}) },
    })
    await app.user.click(await findRow(2))
    await screen.findByText('The text of notice 2.')
    await waitFor(() => expect(kept()).not.toBeNull())
    const keptInbox = kept() ?? ''
    await app.close()
    await openOffline(keptInbox, { setUpInbox: fillWith(2) })
    expect((await findRow(2)).textContent).toContain('Unread')
  })

  it('is removed on a log-out without a network', async () => {
    await openOffline(await keptOnVisit(), { path: '/profile' })
    expect(kept()).not.toBeNull()
    await app.user.click(await screen.findByRole('button', { name: 'Logout' }))
    await app.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Logout' }))
    await waitFor(() => expect(kept()).toBeNull())
  })
})
