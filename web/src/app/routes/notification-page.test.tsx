import { fireEvent, cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { endSession, startSession } from '../../lib/session.ts'
import { type FakeInbox, idOf } from '../../testing/fake-inbox.ts'
import { aUser, ok, problem } from '../../testing/fake-portal.ts'
import { fakeServer } from '../../testing/fake-server.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'
import { renderPages } from '../../testing/render-pages.tsx'
import { fakeClock } from '../../testing/fake-clock.ts'
import { NotificationPage } from './notification-page.tsx'

let app: OpenApp

const open = async (path: string, arrivals = 30) => {
  app = await openApp({
    path,
    user: aUser(),
    setUpInbox: (inbox) => {
      for (let n = 0; n < arrivals; n++) inbox.arrive({ type: 'Exam' })
    },
  })
}

const gets = (path: string) => app.requests.filter((request) => request.method === 'GET' && request.path === path)
const reads = () => app.requests.filter(({ method }) => method === 'PUT')

describe('the notification page', () => {
  afterEach(() => app.close())

  it('[G-12 N-7 N-20] shows an old notification by its address, marks it as read, copies it, and goes quiet if it is withdrawn', async () => {
    await open(`/notification/${idOf(2)}`)
    await screen.findByRole('heading', { name: 'Notice 2' })
    expect(screen.getByText('Notification Details')).toBeDefined()
    expect(screen.getByText('Exam')).toBeDefined()
    expect(screen.getByText('The text of notice 2.')).toBeDefined()
    expect(screen.getByText(/^Nov 21, 2026 • \d{1,2}:02 [AP]M$/)).toBeDefined()
    await waitFor(() => expect(app.inbox.find(idOf(2))?.isRead).toBe(true))
    await screen.findByText('29 unread')
    const calls = app.requests.map(({ method, path }) => `${method} ${path}`)
    expect(calls).toContain(`GET /notifications/${idOf(2)}`)
    expect(calls).not.toContain('GET /notifications')
    // It was not opened from the list.
    expect(screen.queryByRole('button', { name: 'Older' })).toBeNull()
    await app.user.click(await screen.findByRole('button', { name: 'Copy' }))
    await screen.findByText('Notification copied')
    expect(await navigator.clipboard.readText()).toBe('Notice 2\n\nThe text of notice 2.')

    const refused = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'))
    const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    await app.user.click(await screen.findByRole('button', { name: 'Copy' }))
    await screen.findByText('Failed to copy. Select the text to copy it.')
    expect(logged).toHaveBeenCalledOnce()
    refused.mockRestore()
    logged.mockRestore()
    await app.user.click(within(screen.getByRole('alert')).getByRole('button', { name: 'Close message' }))

    app.updateInbox((inbox) => inbox.recall(idOf(2)))
    await screen.findByText('This notification was withdrawn')
    expect(screen.queryByText(/notice 2/i)).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
    await app.user.click(screen.getByRole('link', { name: 'All notifications' }))
    await screen.findByText('Showing 1 to 10 of 30 notifications')
  })

  it('[N-1 N-5 N-13 N-20] opens from the list, which shows it as read at once and sends one request', async () => {
    await open('/notification')
    await app.user.click(await screen.findByRole('link', { name: /Notice 30/ }))
    await screen.findByText('Notification Details')
    expect(window.location.pathname + window.location.search).toBe(`/notification/${idOf(30)}`)
    await waitFor(() => expect(app.inbox.find(idOf(30))?.isRead).toBe(true))
    expect(app.inbox.find(idOf(30))?.readAt).toMatch(/^\d{4}-\d\d-\d\dT/)
    await app.user.click(screen.getByRole('link', { name: 'Back to notifications' }))
    const row = await screen.findByRole('link', { name: /Notice 30/ })
    expect(row.textContent).not.toContain('Unread')
    expect(reads()).toHaveLength(1)
  })

  describe('[N-34] with a button', () => {
    const button = { label: 'Choose your center', url: 'https://exam.example/centers?city=Pune' }
    const openWith = (more: Partial<typeof button> = {}) => {
      const path = `/notification/${idOf(1)}`
      const arrive = { button: { ...button, ...more } }
      return openApp({ path, user: aUser(), setUpInbox: (inbox) => void inbox.arrive(arrive) })
    }

    it('has a link that opens its address in a new tab and says where it leads, is copied with the message, and goes when that is withdrawn', async () => {
      app = await openWith()
      const link = await screen.findByRole('link', {
        name: 'Choose your center',
        description: 'Opens exam.example in a new tab',
      })
      expect(link.getAttribute('href')).toBe(button.url)
      expect(link.getAttribute('target')).toBe('_blank')
      expect(link.getAttribute('rel')?.split(' ').toSorted()).toEqual(['nofollow', 'noopener', 'noreferrer'])

      await app.user.click(await screen.findByRole('button', { name: 'Copy' }))
      await screen.findByText('Notification copied')
      expect(await navigator.clipboard.readText()).toBe(
        'Notice 1\n\nThe text of notice 1.\n\nChoose your center: https://exam.example/centers?city=Pune',
      )

      await waitFor(() => expect(app.inbox.head().unread).toBe(0))
      await waitFor(() => expect(app.openConnections()).toHaveLength(1))
      app.updateInbox((inbox) => inbox.recall(idOf(1)))
      await screen.findByText('This notification was withdrawn')
      expect(screen.queryByRole('link', { name: 'Choose your center' })).toBeNull()
    })

    it('opens a page of the portal in place, and tells the server of a click', async () => {
      app = await openWith({ url: '/my-program' })
      await app.user.click(await screen.findByRole('link', { name: 'Choose your center', description: '' }))
      await screen.findByRole('heading', { name: 'My Programs' })
      const clicked = `/notifications/${idOf(1)}/clicked`
      await waitFor(() => expect(reads().filter(({ path }) => path === clicked)).toHaveLength(1))
    })

    it('names the language of a label', async () => {
      app = await openWith({ label: 'परीक्षा केंद्र चुनें' })
      expect((await screen.findByRole('link', { name: 'परीक्षा केंद्र चुनें' })).getAttribute('lang')).toBe('hi')
    })

    it('shows none whose address is not https', async () => {
      app = await openWith({ url: 'javascript:alert(1)' })
      await screen.findByText('The text of notice 1.')
      expect(screen.queryByText('Choose your center')).toBeNull()
    })

    it('has it when it arrives while the inbox is open', async () => {
      await open('/notification', 1)
      await screen.findByRole('link', { name: /Notice 1/ })
      app.updateInbox((inbox) => inbox.arrive({ title: 'Live', button }))
      await app.user.click(await screen.findByRole('link', { name: /Live/ }))
      expect((await screen.findByRole('link', { name: 'Choose your center' })).getAttribute('href')).toBe(button.url)
    })
  })

  it('[C-20] shows its picture above the message, and nothing if that cannot be loaded', async () => {
    const image = '/pictures/0123456789abcdef0123456789abcdef'
    const path = `/notification/${idOf(1)}`
    app = await openApp({ path, user: aUser(), setUpInbox: (inbox) => void inbox.arrive({ image }) })
    const message = await screen.findByText('The text of notice 1.')
    const picture = message.previousElementSibling
    expect([picture?.getAttribute('src'), picture?.getAttribute('alt')]).toEqual([image, ''])
    if (picture) fireEvent.error(picture)
    expect(message.previousElementSibling?.tagName).toBe('HEADER')
  })

  it('[C-24] is marked with the language that its reader has chosen, in the list, in the message and in full', async () => {
    const [title, message] = ['தேர்வு திங்கட்கிழமை', 'அறை 12 க்கு வாருங்கள்']
    const setUpInbox = (inbox: FakeInbox) => void inbox.arrive({ title, message, lang: 'ta' })
    app = await openApp({ path: '/notification', user: aUser(), setUpInbox })
    const row = within(await screen.findByRole('link', { name: /தேர்வு/ }))
    const languageOf = (element: HTMLElement) => element.closest('[lang]')?.getAttribute('lang')
    expect([row.getByText(title), row.getByText(message)].map(languageOf)).toEqual(['ta', 'ta'])
    expect(row.getByText(message).getAttribute('dir')).toBe('auto')
    await app.user.click(row.getByText(title))
    const heading = await screen.findByRole('heading', { name: title })
    expect([heading, screen.getByText(message)].map(languageOf)).toEqual(['ta', 'ta'])
    app.updateInbox((inbox) => inbox.arrive({ title: 'முடிவுகள்', lang: 'ta' }))
    expect(languageOf(await within(await screen.findByRole('status')).findByText('முடிவுகள்'))).toBe('ta')
  })

  it('is not found if it was withdrawn before', async () => {
    app = await openApp({
      path: `/notification/${idOf(1)}`,
      user: aUser(),
      setUpInbox: (inbox) => {
        inbox.arrive()
        inbox.recall(idOf(1))
      },
    })
    expect((await screen.findAllByText('Notification not found')).length).toBeGreaterThan(0)
    expect(reads()).toEqual([])
  })

  it('does not bring the text back with the answer of a read that was under way', async () => {
    await open('/notification', 2)
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = app.inbox.find(idOf(2))
    app.answer('PUT /notifications/:id/read', async () => {
      await promise
      return ok({ notification: { ...before, isRead: true, readAt: before?.deliveredAt }, ...app.inbox.head() })
    })
    await app.user.click(await screen.findByRole('link', { name: /Notice 2/ }))
    await screen.findByText('The text of notice 2.')
    app.updateInbox((inbox) => inbox.recall(idOf(2)))
    await screen.findByText('This notification was withdrawn')
    resolve()
    await app.user.click(screen.getByRole('link', { name: 'All notifications' }))
    await screen.findByText('This notification was withdrawn')
    expect(screen.queryByText(/notice 2/i)).toBeNull()
  })

  it('keeps the entry of the list if the request fails, unread if the server rejects the read, and shows the reason', async () => {
    await open('/notification', 2)
    app.answer('GET /notifications/:id', () => problem(500, 'internal', 'Something broke'))
    app.answer('PUT /notifications/:id/read', () =>
      problem(503, 'unavailable', 'Reading is not possible at the moment'),
    )
    await app.user.click(await screen.findByRole('link', { name: /Notice 2/ }))
    await screen.findByText('The text of notice 2.')
    await waitFor(() => expect(gets(`/notifications/${idOf(2)}`)).toHaveLength(1))
    await screen.findAllByText('Reading is not possible at the moment')
    expect(screen.queryByText('Failed to load notification')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
    await app.user.click(screen.getByRole('link', { name: 'Back to notifications' }))
    expect((await screen.findByRole('link', { name: /Notice 2/ })).textContent).toContain('Unread')
  })

  it('[N-8 N-10 N-11] shows fallbacks for missing fields', async () => {
    app = await openApp({
      path: `/notification/${idOf(1)}`,
      user: aUser(),
      setUpInbox: (inbox) => void inbox.arrive({ title: '', message: '', type: '', at: 'yesterday' }),
    })
    await screen.findByText('No additional details available.')
    expect(screen.getByRole('heading', { name: 'Notification' })).toBeDefined()
    expect(screen.getByText('General')).toBeDefined()
    expect(screen.getByText('Invalid date')).toBeDefined()
  })

  it('[N-31] marks itself as unread, returns to the list, and can be read again', async () => {
    await open('/notification', 3)
    await app.user.click(await screen.findByRole('link', { name: /Notice 2/ }))
    await waitFor(() => expect(app.inbox.find(idOf(2))?.isRead).toBe(true))
    await app.user.click(await screen.findByRole('button', { name: 'Mark as unread' }))
    expect(window.location.pathname).toBe('/notification')
    expect((await screen.findByRole('link', { name: /Notice 2/ })).textContent).toContain('Unread')
    await screen.findByRole('link', { name: /^3 unread/ })
    await waitFor(() => expect(app.inbox.find(idOf(2))?.isRead).toBe(false))

    await app.user.click(screen.getByRole('link', { name: /Notice 2/ }))
    await waitFor(() => expect(app.inbox.find(idOf(2))?.isRead).toBe(true))
    await screen.findByRole('link', { name: /^2 unread/ })
  })

  it('[N-31] reaches the server after the read before it, and is undone by Alt+Z', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await open('/notification', 1)
    app.answer('PUT /notifications/:id/read', async () => {
      await promise
      app.updateInbox((inbox) => inbox.read(idOf(1)))
      return ok({ notification: app.inbox.find(idOf(1)), ...app.inbox.head() })
    })
    await app.user.click(await screen.findByRole('link', { name: /Notice 1/ }))
    await app.user.keyboard('u')
    await screen.findByRole('link', { name: /Notice 1/ })
    expect(reads().map(({ path }) => path)).toEqual([`/notifications/${idOf(1)}/read`])
    resolve()
    await waitFor(() => expect(reads().at(-1)?.path).toBe(`/notifications/${idOf(1)}/unread`))
    await waitFor(() => expect(app.inbox.items()[0]?.isRead).toBe(false))
    expect((await screen.findByRole('link', { name: /Notice 1/ })).textContent).toContain('Unread')
    await app.user.keyboard('{Alt>}z{/Alt}')
    await waitFor(() => expect(app.inbox.find(idOf(1))?.isRead).toBe(true))
  })

  it('[N-31] stays read and shows the reason if the server rejects the mark', async () => {
    await open('/notification', 1)
    app.answer('PUT /notifications/:id/unread', () => problem(409, 'conflict', 'Too many are marked'))
    await app.user.click(await screen.findByRole('link', { name: /Notice 1/ }))
    await waitFor(() => expect(app.inbox.find(idOf(1))?.isRead).toBe(true))
    await app.user.click(await screen.findByRole('button', { name: 'Mark as unread' }))
    await screen.findAllByText('Too many are marked')
    expect(screen.queryByText('Marked as unread')).toBeNull()
    expect((await screen.findByRole('link', { name: /Notice 1/ })).textContent).not.toContain('Unread')
  })

  it('[N-31] sends a mark-all that waits for its undo first', async () => {
    await open('/notification', 2)
    await app.user.click(await screen.findByRole('button', { name: 'Mark all as read' }))
    await app.user.click(await screen.findByRole('link', { name: /Notice 1/ }))
    await app.user.click(await screen.findByRole('button', { name: 'Mark as unread' }))
    await waitFor(() => expect(app.inbox.head().unread).toBe(1))
    expect(reads().map(({ path }) => path)).toEqual([
      '/notifications/mark-all-read',
      `/notifications/${idOf(1)}/unread`,
    ])
    await screen.findByRole('link', { name: /^1 unread/ })
  })

  it('sends a mark-all that a killed browser has left, unless its number means nothing any more', async () => {
    const keep = (epoch: string) =>
      localStorage.setItem(
        `draft:${aUser()._id}:mark-all-read`,
        JSON.stringify({ at: Date.now(), value: { epoch, seq: 2, until: Date.now() - 1 } }),
      )
    keep('first')
    await open('/notification', 3)
    await waitFor(() => expect(reads().map(({ path }) => path)).toEqual(['/notifications/mark-all-read']))
    await waitFor(() => expect(app.inbox.head().unread).toBe(1))
    await waitFor(() => expect(localStorage.getItem(`draft:${aUser()._id}:mark-all-read`)).toBeNull())
    await app.close()
    keep('an earlier one')
    await open('/notification', 3)
    await waitFor(() => expect(localStorage.getItem(`draft:${aUser()._id}:mark-all-read`)).toBeNull())
    expect(reads()).toEqual([])
  })

  it('makes links of the addresses in the message, and gives them nothing of the page', async () => {
    app = await openApp({
      path: `/notification/${idOf(1)}`,
      user: aUser(),
      setUpInbox: (inbox) =>
        void inbox.arrive({ message: 'See https://x.example/exam?center=12 <b>now</b>, or call +91 98765 43210.' }),
    })
    const web = await screen.findByRole('link', { name: 'https://x.example/exam?center=12' })
    expect(web.getAttribute('href')).toBe('https://x.example/exam?center=12')
    expect(web.getAttribute('rel')).toBe('noopener nofollow noreferrer')
    expect(web.getAttribute('target')).toBe('_blank')
    expect(screen.getByRole('link', { name: '+91 98765 43210' }).getAttribute('href')).toBe('tel:+919876543210')
    expect(screen.getByText(/<b>now<\/b>/)).toBeDefined()
  })

  it('leads to the newer and the older notification, across the pages of the list', async () => {
    await open('/notification', 12)
    await app.user.click(await screen.findByRole('link', { name: /Notice 4\b/ }))
    await screen.findByRole('heading', { name: 'Notice 4' })
    const older = screen.getByRole('button', { name: 'Older' })
    await app.user.click(older)
    await screen.findByRole('heading', { name: 'Notice 3' })
    await app.user.keyboard('j')
    await screen.findByRole('heading', { name: 'Notice 2' })
    expect(window.location.search).toBe('?page=2')
    await app.user.keyboard('j')
    await screen.findByRole('heading', { name: 'Notice 1' })
    expect(older.getAttribute('aria-disabled')).toBe('true')
    expect(document.activeElement).toBe(older)
    await app.user.keyboard('kk')
    await screen.findByRole('heading', { name: 'Notice 3' })
    expect(window.location.search).toBe('')
    await app.user.click(screen.getByRole('link', { name: 'Back to notifications' }))
    await screen.findByText('Showing 1 to 10 of 12 notifications')
    expect(window.location.search).toBe('')
  })

  it.each([
    ['unread ones', '?filter=unread', 22],
    ['one type', '?type=Exam', 12],
    ['found ones', '?q=text', 12],
  ])('leads through all pages of a list of %s, without skipping any', async (_of, search, count) => {
    await open(`/notification${search}`, count)
    await app.user.click(await screen.findByRole('link', { name: new RegExp(`Notice ${count}\\b`) }))
    for (let n = count; n >= 1; n--) {
      await screen.findByRole('heading', { name: `Notice ${n}` })
      // The list shows it before its own request is answered, which marks it as read.
      await waitFor(() => expect(app.inbox.find(idOf(n))?.isRead).toBe(true))
      await app.user.click(await screen.findByRole('button', { name: 'Older' }))
    }
    expect(screen.getByRole('button', { name: 'Older' }).getAttribute('aria-disabled')).toBe('true')
    expect(window.location.search).toContain(search.slice(1))
  })

  it('leads on from a list that other devices have shortened', async () => {
    await open('/notification?filter=unread&page=2', 25)
    await app.user.click(await screen.findByRole('link', { name: /Notice 6\b/ }))
    await screen.findByRole('heading', { name: 'Notice 6' })
    await waitFor(() => expect(app.inbox.find(idOf(6))?.isRead).toBe(true))
    // The socket has not told yet: the next unread notification is now on the first page.
    for (let n = 7; n <= 19; n++) app.inbox.read(idOf(n))
    await app.user.click(screen.getByRole('button', { name: 'Older' }))
    await screen.findByRole('heading', { name: 'Notice 5' })
    expect(window.location.search).toBe('?filter=unread')
    await app.user.click(screen.getByRole('button', { name: 'Newer' }))
    await screen.findByRole('heading', { name: 'Notice 20' })
  })

  it('can be asked again if the next page could not be loaded, and stays if other devices have read the rest', async () => {
    await open('/notification?filter=unread', 12)
    await app.user.click(await screen.findByRole('link', { name: /Notice 3\b/ }))
    await screen.findByRole('heading', { name: 'Notice 3' })
    app.setOnline(false)
    const older = screen.getByRole('button', { name: 'Older' })
    await app.user.click(older)
    await waitFor(() => expect(older.getAttribute('aria-disabled')).toBe('false'))
    app.setOnline(true)
    await app.user.click(older)
    await screen.findByRole('heading', { name: 'Notice 2' })
    app.inbox.read(idOf(1))
    await app.user.click(older)
    await waitFor(() => expect(older.getAttribute('aria-disabled')).toBe('true'))
    expect(document.activeElement).toBe(older)
    expect(screen.getByRole('heading', { name: 'Notice 2' })).toBeDefined()
  })

  it('leads past withdrawn notifications', async () => {
    await open('/notification', 3)
    await screen.findByRole('link', { name: /Notice 3/ })
    app.updateInbox((inbox) => inbox.recall(idOf(2)))
    await screen.findByText('This notification was withdrawn')
    await app.user.click(screen.getByRole('link', { name: /Notice 3/ }))
    await app.user.click(await screen.findByRole('button', { name: 'Older' }))
    await screen.findByRole('heading', { name: 'Notice 1' })
    expect(window.location.pathname).toBe(`/notification/${idOf(1)}`)
  })

  it('[N-26] shows an error with a retry if it cannot be loaded', async () => {
    let broken = true
    app = await openApp({
      path: `/notification/${idOf(1)}`,
      user: aUser(),
      setUpInbox: (inbox) => void inbox.arrive(),
      answers: {
        'GET /notifications/:id': () =>
          broken ? problem(500, 'internal', 'Something broke') : ok({ notification: app.inbox.find(idOf(1)) }),
      },
    })
    const retry = await screen.findByRole('button', { name: 'Try again' })
    expect(screen.getAllByText('Failed to load notification')).toHaveLength(1)
    broken = false
    await app.user.click(retry)
    await screen.findByRole('heading', { name: 'Notice 1' })
  })
})

it('[N-25] returns to the list two seconds after it says that the notification does not exist', async () => {
  startSession({ user: aUser(), token: 'a-token' })
  const clock = fakeClock()
  const server = fakeServer()
  for (const [id, answer] of [
    [idOf(999), problem(404, 'not-found', 'Notification not found')],
    ['nonsense', problem(400, 'invalid', 'The id is not valid')],
  ] as const) {
    server.on(`GET /notifications/${id}`, () => answer)
    renderPages({ '/notification/:id': <NotificationPage /> }, `/notification/${id}`)
    await clock.flush()
    expect(screen.getAllByText('Notification not found').length).toBeGreaterThan(0)
    await clock.advance(1_999)
    expect(screen.queryByText('At /notification')).toBeNull()
    await clock.advance(1)
    expect(screen.getByText('At /notification')).toBeDefined()
    cleanup()
  }
  endSession('logged-out')
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
