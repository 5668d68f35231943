import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aUser, ok } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'

let app: OpenApp

const open = async (arrivals: number) => {
  app = await openApp({
    path: '/notification',
    user: aUser(),
    setUpInbox: (inbox) => {
      for (let n = 0; n < arrivals; n++) inbox.arrive()
    },
  })
  await screen.findByText(/^Showing/)
  // From here on the tab is subscribed to the inbox.
  await waitFor(() => expect(app.seen).toContain(app.inbox.head().seq))
}

/** Starts a new epoch of the inbox with the newest `left` notifications, and notifies every tab. */
const startEpoch = (epoch: string, left: number) => {
  app.inbox.renumber(epoch, left)
  app.emit('inbox:changed', { ...app.inbox.head(), changes: [] })
}

const titles = () =>
  screen.queryAllByText(/^Notice \d+$/, { selector: '.title > span' }).map((title) => title.textContent)
const row = (n: number) => screen.getByRole('link', { name: new RegExp(`Notice ${n}\\b`) })
const badge = () => within(screen.getByRole('link', { name: /unread Notification$|^Notification$/ }))
const pagesFetched = () => app.requests.filter(({ path }) => path === '/notifications').length

describe('an epoch change while the notifications page is open', () => {
  beforeEach(() => window.scrollTo(0, 0))
  afterEach(() => app.close())

  it('shows the inbox of the server, even with lower numbers and counts, and announces nothing again', async () => {
    await open(12)
    startEpoch('second', 4)
    await waitFor(() => expect(titles()).toEqual(['Notice 12', 'Notice 11', 'Notice 10', 'Notice 9']))
    expect(screen.getByText('Showing 1 to 4 of 4 notifications')).toBeDefined()
    expect(badge().getByText('4 unread')).toBeDefined()
    await waitFor(() => expect(document.title).toBe('(4) Notifications · Minor Programs'))
    expect(screen.queryByText(/new notifications/)).toBeNull()
    await waitFor(() => expect(app.seen.at(-1)).toBe(4))

    app.updateInbox((inbox) => inbox.arrive({ title: 'Class moved to 8 PM' }))
    await waitFor(() => expect(screen.getAllByText(/Class moved to 8 PM/)).toHaveLength(2))
    expect(badge().getByText('5 unread')).toBeDefined()
    await waitFor(() => expect(app.seen.at(-1)).toBe(5))
  })

  it('announces nothing again while the inbox is rebuilt', async () => {
    await open(3)
    startEpoch('second', 0)
    await screen.findByText('No notifications yet.')
    app.updateInbox((inbox) => {
      inbox.arrive({ title: 'Notice 2', at: '2026-11-21T09:02:00.000Z' })
      inbox.arrive({ title: 'Notice 3', at: '2026-11-21T09:03:00.000Z' })
    })
    await waitFor(() => expect(titles()).toEqual(['Notice 3', 'Notice 2']))
    app.updateInbox((inbox) => inbox.arrive({ title: 'Class moved to 8 PM' }))
    const announced = await screen.findByText('Class moved to 8 PM', { ignore: '.title *' })
    expect(announced.getAttribute('aria-live')).toBe('polite')
    expect(screen.queryByText(/new notifications/)).toBeNull()
  })

  it('does not send a mark-all that waited for Undo: its number means nothing any more', async () => {
    await open(3)
    await app.user.click(screen.getByRole('button', { name: 'Mark all as read' }))
    await waitFor(() => expect(row(3).textContent).not.toContain('Unread'))
    startEpoch('second', 3)
    await waitFor(() => expect(row(3).textContent).toContain('Unread'))
    await app.user.click(screen.getByRole('button', { name: 'Close message' }))
    await screen.findByText('Failed to mark all notifications as read')
    expect(app.requests.filter(({ method }) => method === 'PUT')).toEqual([])
  })

  it('drops a pending mark-all of the old epoch, whatever its response', async () => {
    await open(3)
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
    const old = { ...app.inbox.head(), seq: 4, unread: 0 }
    app.answer('PUT /notifications/mark-all-read', async () => {
      await mayAnswer
      return ok(old)
    })
    await app.user.click(screen.getByRole('button', { name: 'Mark all as read' }))
    await waitFor(() => expect(row(3).textContent).not.toContain('Unread'))
    await app.user.click(screen.getByRole('button', { name: 'Close message' }))
    startEpoch('second', 3)
    await waitFor(() => expect(row(3).textContent).toContain('Unread'))
    answer()
    app.updateInbox((inbox) => inbox.arrive())
    await waitFor(() => expect(titles()).toHaveLength(4))
    for (const n of [1, 2, 3, 4]) expect(row(n).textContent).toContain('Unread')
    expect(badge().getByText('4 unread')).toBeDefined()
  })

  it('shows a page that has the new epoch before the feed, with its count, until both agree', async () => {
    await open(12)
    app.inbox.renumber('second', 11)
    const before = pagesFetched()
    await app.user.click(screen.getByRole('button', { name: 'Next page' }))
    await waitFor(() => expect(titles()).toEqual(['Notice 2']))
    await waitFor(() => expect(badge().getByText('11 unread')).toBeDefined())
    app.updateInbox((inbox) => inbox.arrive())
    await waitFor(() => expect(titles()).toEqual(['Notice 3', 'Notice 2']))
    expect(badge().getByText('12 unread')).toBeDefined()
    expect(pagesFetched()).toBeGreaterThan(before + 1)
  })
})
