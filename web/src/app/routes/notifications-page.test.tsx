import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { idOf } from '../../testing/fake-inbox.ts'
import { aUser, problem } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'

let app: OpenApp

const open = async (arrivals: number, path = '/notification') => {
  app = await openApp({
    path,
    user: aUser(),
    setUpInbox: (inbox) => {
      for (let n = 0; n < arrivals; n++) inbox.arrive()
    },
  })
  await screen.findByText(arrivals === 0 ? 'No notifications yet.' : /^Showing/)
  // From here on the tab is subscribed to the inbox.
  await waitFor(() => expect(app.seen).toContain(app.inbox.head().seq))
}

/** Opens another page, where arrivals are announced in a toast. */
const openElsewhere = async (arrivals: number) => {
  app = await openApp({
    path: '/my-program',
    user: aUser(),
    setUpInbox: (inbox) => {
      for (let n = 0; n < arrivals; n++) inbox.arrive()
    },
  })
  await waitFor(() => expect(app.seen).toContain(app.inbox.head().seq))
}

const calls = (method: string) => app.requests.filter((request) => request.method === method)
const heading = () => screen.getByRole('heading', { name: 'Notifications' })

const titles = () =>
  screen.queryAllByText(/^Notice \d+$/, { selector: '.title > span' }).map((title) => title.textContent)
const row = (n: number) => screen.getByRole('link', { name: new RegExp(`Notice ${n}\\b`) })
const badge = () => within(screen.getByRole('link', { name: /unread Notification$|^Notification$/ }))

describe('the notifications page', () => {
  beforeEach(() => window.scrollTo(0, 0))
  afterEach(() => app.close())

  it('[G-11 N-2 N-6 N-12] shows the newest first, marks unread ones, and an arrival without a toast, reports it as seen, and survives an invalid one', async () => {
    await open(3)
    app.updateInbox((inbox) => inbox.read(idOf(2)))
    await waitFor(() => expect(badge().getByText('2 unread')).toBeDefined())
    expect(row(3).textContent).toContain('Unread')
    expect(row(2).textContent).not.toContain('Unread')
    expect(screen.getByText('Showing 1 to 3 of 3 notifications')).toBeDefined()
    await waitFor(() => expect(document.title).toBe('(2) Notifications · Minor Programs'))

    app.updateInbox((inbox) => inbox.arrive({ title: 'Odd', type: 'Webinar', at: 'yesterday' }))
    await screen.findByText('Webinar')
    expect(within(screen.getByRole('link', { name: /Odd/ })).getAllByText('Invalid date')).toHaveLength(2)
    expect(row(1)).toBeDefined()

    app.updateInbox((inbox) => inbox.arrive({ title: 'Class moved to 8 PM' }))
    await screen.findByRole('link', { name: /Class moved to 8 PM/ })
    // Only screen readers are told.
    const announced = screen.getByText('Class moved to 8 PM', { ignore: '.title *' })
    expect(announced.getAttribute('aria-live')).toBe('polite')
    expect(screen.queryByRole('button', { name: 'Close message' })).toBeNull()
    expect(badge().getByText('4 unread')).toBeDefined()
    expect(screen.getByText('Showing 1 to 5 of 5 notifications')).toBeDefined()
    await waitFor(() => expect(app.seen.at(-1)).toBe(app.inbox.head().seq))
  })

  it('shows an arrival in a toast elsewhere, until it is withdrawn or the list is open', async () => {
    await openElsewhere(1)
    app.updateInbox((inbox) => inbox.arrive({ title: 'Exam moved to Monday' }))
    await screen.findByText('Exam moved to Monday')
    app.updateInbox((inbox) => inbox.recall(idOf(2)))
    await waitFor(() => expect(screen.queryByText('Exam moved to Monday')).toBeNull())
    app.updateInbox((inbox) => inbox.arrive({ title: 'Class moved to 8 PM' }))
    await screen.findByText('Class moved to 8 PM')
    await app.user.click(screen.getByRole('link', { name: /Notification$/ }))
    await screen.findByRole('link', { name: /Class moved to 8 PM/ })
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Close message' })).toBeNull())
  })

  it('shows a withdrawn notification as one line without a link', async () => {
    await open(2)
    app.updateInbox((inbox) => inbox.arrive({ title: 'Exam moved to Monday' }))
    await screen.findByRole('link', { name: /Exam moved to Monday/ })
    expect(badge().getByText('3 unread')).toBeDefined()
    app.updateInbox((inbox) => inbox.recall(idOf(3)))
    const line = await screen.findByText('This notification was withdrawn')
    expect(line.closest('a')).toBeNull()
    expect(line.textContent).not.toContain('Unread')
    expect(badge().getByText('2 unread')).toBeDefined()
    expect(screen.queryByText(/Exam moved to Monday/)).toBeNull()
    expect(screen.getByText('Showing 1 to 3 of 3 notifications')).toBeDefined()
    // The keyboard reaches the other rows only.
    expect(screen.getAllByRole('link', { name: /Notice/ })).toHaveLength(2)
  })

  it('keeps the focus on the line of a notification that is withdrawn, and moves it to no other', async () => {
    await open(3)
    const [, second] = screen.getAllByRole('link', { name: /Notice/ })
    second?.focus()
    app.updateInbox((inbox) => inbox.recall(idOf(3)))
    await screen.findByText('This notification was withdrawn')
    expect(document.activeElement).toBe(second)
    app.updateInbox((inbox) => inbox.recall(idOf(2)))
    await waitFor(() => expect(screen.getAllByText('This notification was withdrawn')).toHaveLength(2))
    const [, line] = screen.getAllByText('This notification was withdrawn')
    expect(document.activeElement).toBe(line?.closest('li'))
  })

  it('shows one toast for several arrivals, until all are withdrawn, and sends few seen reports for a burst', async () => {
    await openElsewhere(0)
    app.updateInbox((inbox) => {
      inbox.arrive()
      inbox.arrive()
    })
    await screen.findByText('2 new notifications')
    app.updateInbox((inbox) => inbox.recall(idOf(1)))
    await waitFor(() => expect(badge().getByText('1 unread')).toBeDefined())
    expect(screen.getByText('2 new notifications')).toBeDefined()
    app.updateInbox((inbox) => inbox.recall(idOf(2)))
    await waitFor(() => expect(screen.queryByText('2 new notifications')).toBeNull())

    // The report of the last recall comes a moment later.
    await waitFor(() => expect(app.seen.at(-1)).toBe(app.inbox.head().seq))
    const before = app.seen.length
    app.updateInbox((inbox) => {
      for (let n = 0; n < 30; n++) inbox.arrive()
    })
    await screen.findByText('30 new notifications')
    await waitFor(() => expect(app.seen.at(-1)).toBe(app.inbox.head().seq))
    expect(app.seen.length - before).toBe(1)
    app.updateInbox((inbox) => inbox.arrive())
    await screen.findByText('31 new notifications')
    expect(screen.queryByText('30 new notifications')).toBeNull()
  })

  it('reports arrivals as seen only once the tab is visible', async () => {
    await open(1)
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    await waitFor(() => expect(app.visibility.at(-1)).toBe(false))
    app.updateInbox((inbox) => inbox.arrive())
    app.updateInbox((inbox) => inbox.arrive())
    await waitFor(() => expect(titles()).toHaveLength(3))
    expect(app.seen.at(-1)).toBe(1)

    visibility.mockRestore()
    document.dispatchEvent(new Event('visibilitychange'))
    await waitFor(() => expect(app.seen.at(-1)).toBe(3))
    expect(app.visibility.at(-1)).toBe(true)
    expect(app.seen).not.toContain(2)
  })

  it('requests what a gap in the messages, or a lost connection, has kept from it, and reloads if that is too much', async () => {
    await open(1)
    app.inbox.arrive()
    app.updateInbox((inbox) => inbox.arrive())
    await waitFor(() => expect(titles()).toEqual(['Notice 3', 'Notice 2', 'Notice 1']))
    app.inbox.arrive()
    app.inbox.read(idOf(1))
    app.inbox.recall(idOf(2))
    app.dropConnections()
    await waitFor(() => expect(titles()).toEqual(['Notice 4', 'Notice 3', 'Notice 1']))
    expect(row(1).textContent).not.toContain('Unread')
    expect(screen.getByText('This notification was withdrawn')).toBeDefined()
    expect(badge().getByText('2 unread')).toBeDefined()

    for (let n = 0; n < 150; n++) app.inbox.arrive()
    app.updateInbox((inbox) => inbox.arrive())
    await waitFor(() => expect(titles()[0]).toBe('Notice 155'))
    expect(screen.getByText('Showing 1 to 10 of 155 notifications')).toBeDefined()
    expect(badge().getByText('99+')).toBeDefined()
    await waitFor(() => expect(document.title).toMatch(/^\(99\+\) /))
  })

  it('holds back arrivals while the user has scrolled, until they press the pill', async () => {
    await open(12)
    window.scrollTo(0, 300)
    window.dispatchEvent(new Event('scroll'))
    app.updateInbox((inbox) => inbox.arrive())
    const pill = await screen.findByRole('button', { name: '1 new' })
    expect(titles()[0]).toBe('Notice 12')
    await app.user.click(pill)
    await waitFor(() => expect(titles()[0]).toBe('Notice 13'))
    expect(screen.queryByRole('button', { name: '1 new' })).toBeNull()
  })

  it('[N-3 N-14 N-23] marks all as read in every tab, and offers this only if any is unread', async () => {
    await open(12)
    await app.user.click(screen.getByRole('button', { name: 'Mark all as read' }))
    await screen.findByText('All notifications marked as read')
    expect(screen.queryByText('Unread:')).toBeNull()
    expect(badge().queryByText(/unread/)).toBeNull()
    expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull()
    expect(document.activeElement).toBe(heading())
    app.updateInbox((inbox) => inbox.arrive())
    await screen.findByRole('button', { name: 'Mark all as read' })
    app.updateInbox((inbox) => inbox.readAll())
    await waitFor(() => expect(screen.queryByText('Unread:')).toBeNull())
  })

  it('tells the server of a mark-all when its toast ends without Undo, and leaves later arrivals unread', async () => {
    await open(2)
    await app.user.click(screen.getByRole('button', { name: 'Mark all as read' }))
    await app.user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(screen.getAllByText('Unread:')).toHaveLength(2)
    expect(badge().getByText('2 unread')).toBeDefined()
    await app.user.click(await screen.findByRole('button', { name: 'Mark all as read' }))
    await screen.findByText('All notifications marked as read')
    app.updateInbox((inbox) => inbox.arrive())
    await waitFor(() => expect(badge().getByText('1 unread')).toBeDefined())
    expect(calls('PUT')).toEqual([])
    await app.user.click(screen.getByRole('button', { name: 'Close message' }))
    await waitFor(() => expect(app.inbox.head().unread).toBe(1))
    expect(app.inbox.find(idOf(3))?.isRead).toBe(false)
    expect(badge().getByText('1 unread')).toBeDefined()
    expect(calls('PUT')).toHaveLength(1)
  })

  it('tells the server of a mark-all before the log-out', async () => {
    await open(2)
    await app.user.click(screen.getByRole('button', { name: 'Mark all as read' }))
    await app.user.click(screen.getByRole('link', { name: 'Profile' }))
    await app.user.click(await screen.findByRole('button', { name: 'Logout' }))
    const dialog = screen.queryByRole('dialog')
    if (dialog) await app.user.click(within(dialog).getByRole('button', { name: 'Logout' }))
    await waitFor(() => expect(app.requests.some(({ path }) => path === '/auth/logout')).toBe(true))
    const writes = app.requests.filter(({ method }) => method !== 'GET').map(({ path }) => path)
    expect(writes).toEqual(['/notifications/mark-all-read', '/auth/logout'])
  })

  it('[N-24] rolls back a read that the server rejects', async () => {
    await open(2)
    app.answer('PUT /notifications/mark-all-read', () => problem(503, 'unavailable', 'Not now'))
    await app.user.click(screen.getByRole('button', { name: 'Mark all as read' }))
    await app.user.click(await screen.findByRole('button', { name: 'Close message' }))
    await screen.findByText('Failed to mark all notifications as read')
    expect(screen.getAllByText('Unread:')).toHaveLength(2)
    expect(badge().getByText('2 unread')).toBeDefined()
  })

  it('names the language of texts in Devanagari, in the row, the toast and on the page', async () => {
    const texts = { title: 'परीक्षा केंद्र बदल गया', message: 'नया पता देखें.' }
    await open(1)
    const languages = () =>
      screen.getAllByText(new RegExp(texts.title)).map((text) => text.closest<HTMLElement>('[lang]')?.lang)
    await screen.findByRole('link', { name: /Notice 1/ })
    await app.user.click(screen.getByRole('link', { name: 'Profile' }))
    await screen.findByRole('heading', { level: 1, name: 'Profile' })
    app.updateInbox((inbox) => inbox.arrive(texts))
    await app.user.click(await screen.findByRole('button', { name: 'View' }))
    await screen.findByRole('heading', { level: 2, name: texts.title })
    expect(new Set(languages())).toEqual(new Set(['hi']))
    expect(screen.getByText(texts.message).lang).toBe('hi')
    await app.user.click(screen.getByRole('link', { name: 'Back to notifications' }))
    await screen.findByRole('link', { name: new RegExp(texts.title) })
    expect(new Set(languages())).toEqual(new Set(['hi']))
    expect(screen.getByText(texts.message).lang).toBe('hi')
    expect(screen.getByText('Notice 1').lang).toBe('')
  })

  it('follows the language that its learner has chosen on another device, in the list and on the page', async () => {
    await open(1)
    const choose = (title: string, lang: string) => {
      app.inbox.translate(idOf(1), { title, lang })
      app.emit('profile:changed', { userId: aUser()._id })
    }
    choose('தேர்வு', 'ta')
    const link = await screen.findByRole('link', { name: /தேர்வு/ })
    expect(screen.getByText('தேர்வு').closest<HTMLElement>('[lang]')?.lang).toBe('ta')
    await app.user.click(link)
    await screen.findByRole('heading', { level: 2, name: 'தேர்வு' })
    choose('পরীক্ষা', 'bn')
    expect((await screen.findByRole('heading', { level: 2, name: 'পরীক্ষা' })).lang).toBe('bn')
  })

  it('[N-22] shows a text while the inbox is empty, and heads each day of the list', async () => {
    await open(0)
    await screen.findByText('No notifications yet.')
    const longAgo = new Date(2025, 4, 9, 12).toISOString()
    app.updateInbox((inbox) => {
      inbox.arrive({ title: 'Old', at: longAgo })
      inbox.arrive({ title: 'New', at: new Date().toISOString() })
    })
    const headings = async () => (await screen.findAllByRole('heading', { level: 2 })).map((head) => head.textContent)
    expect(await headings()).toEqual(['Today', 'May 9, 2025'])
    const today = within(screen.getByRole('region', { name: 'Today' }))
    expect(today.getByRole('link', { name: /New/ })).toBeDefined()
  })

  it('moves through the rows with j and k', async () => {
    await open(3)
    await app.user.keyboard('j')
    expect(document.activeElement).toBe(row(3))
    await app.user.keyboard('jj')
    expect(document.activeElement).toBe(row(1))
    await app.user.keyboard('k')
    expect(document.activeElement).toBe(row(2))
    await app.user.keyboard('{Enter}')
    await screen.findByText('Notification Details')
    expect(window.location.pathname).toBe(`/notification/${idOf(2)}`)
  })

  it('[N-29] takes the page number from the address', async () => {
    await open(25)
    await app.user.click(await screen.findByRole('button', { name: 'Page 3' }))
    await screen.findByText('Showing 21 to 25 of 25 notifications')
    expect(window.location.search).toBe('?page=3')
    expect(document.activeElement).toBe(heading())
    expect(titles()).toEqual([5, 4, 3, 2, 1].map((n) => `Notice ${n}`))
    app.updateInbox((inbox) => inbox.arrive())
    await app.user.click(await screen.findByRole('button', { name: '1 new' }))
    await waitFor(() => expect(titles()[0]).toBe('Notice 26'))
    expect(window.location.search).toBe('')
    expect(document.activeElement).toBe(heading())
    await app.close()
    await open(25, '/notification?page=9')
    await waitFor(() => expect(window.location.search).toBe('?page=3'))
    await screen.findByText('Showing 21 to 25 of 25 notifications')
  })

  it('[N-21] shows the reason of a failure, also one without a message', async () => {
    app = await openApp({
      path: '/notification',
      user: aUser(),
      answers: { 'GET /notifications': () => problem(503, 'unavailable', 'The inbox rests') },
    })
    await screen.findByText('Failed to load notifications. Please try again later.')
    expect(screen.getByText('The inbox rests')).toBeDefined()
    expect(titles()).toEqual([])
    app.answer('GET /notifications', () => problem(503, 'unavailable', ''))
    await app.user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('Failed to fetch notifications')
  })

  it('[G-56] shows an error with a retry', async () => {
    app = await openApp({
      path: '/notification',
      user: aUser(),
      setUpInbox: (inbox) => void inbox.arrive(),
      startsOnline: false,
    })
    await screen.findByText('Failed to load notifications. Please try again later.')
    await screen.findByText('Failed to load notifications')
    app.setOnline(true)
    await app.user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(titles()).toEqual(['Notice 1']))
  })
})
