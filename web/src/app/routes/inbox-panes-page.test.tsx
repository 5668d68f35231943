import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { idOf } from '../../testing/fake-inbox.ts'
import { aUser } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'
import { desktopPx, setWindowWidth } from '../../testing/window-width.ts'

let app: OpenApp

const open = async (path: string, arrivals = 12) => {
  app = await openApp({
    path,
    user: aUser(),
    setUpInbox: (inbox) => {
      for (let n = 0; n < arrivals; n++) inbox.arrive()
    },
  })
}

const row = (n: number) => screen.findByRole('link', { name: new RegExp(`Notice ${n}\\b`) })
const detail = () => within(screen.getByRole('region', { name: 'Notification Details' }))

describe('the inbox on a wide screen', () => {
  beforeEach(() => {
    setWindowWidth(1280)
    window.scrollTo(0, 0)
  })
  afterEach(() => {
    setWindowWidth(desktopPx)
    return app.close()
  })

  it('shows a notification beside the list, which stays where it is', async () => {
    await open('/notification')
    await screen.findByText('Choose a notification to read it here.')
    const tenth = await row(10)
    await app.user.click(tenth)
    expect(window.location.pathname).toBe(`/notification/${idOf(10)}`)
    await screen.findByText('The text of notice 10.', { selector: 'p' })
    expect(detail().getByText('The text of notice 10.')).toBeDefined()
    expect(tenth.isConnected).toBe(true)
    expect(document.activeElement).toBe(tenth)
    expect(tenth.getAttribute('aria-current')).toBe('page')
    await waitFor(() => expect(app.inbox.find(idOf(10))?.isRead).toBe(true))
    expect(app.requests.filter(({ path, method }) => method === 'GET' && path === '/notifications')).toHaveLength(1)
  })

  it('offers nothing to choose beside an empty list, until the first one arrives', async () => {
    await open('/notification', 0)
    await screen.findByText('No notifications yet.')
    expect(screen.queryByText('Choose a notification to read it here.')).toBeNull()
    app.updateInbox((inbox) => inbox.arrive())
    await screen.findByText('Choose a notification to read it here.')
  })

  it('shows both for the address of a notification, with one main heading', async () => {
    await open(`/notification/${idOf(11)}`)
    await screen.findByRole('region', { name: 'Notification Details' })
    await detail().findByText('The text of notice 11.')
    await row(11)
    expect(screen.getAllByRole('heading', { level: 1 }).map((head) => head.textContent)).toEqual(['Notifications'])
    await waitFor(() => expect(document.title).toContain('Notification Details'))
  })

  it('opens the next one with j and k', async () => {
    await open('/notification')
    await row(12)
    await app.user.keyboard('j{Enter}')
    await screen.findByText('The text of notice 12.', { selector: 'p' })
    await app.user.keyboard('j')
    await detail().findByText('The text of notice 11.')
    expect((await row(11)).getAttribute('aria-current')).toBe('page')
    await waitFor(async () => expect(document.activeElement).toBe(await row(11)))
    await app.user.keyboard('k')
    await detail().findByText('The text of notice 12.')
    // Also after going back to one by hand.
    await app.user.click(await row(11))
    await detail().findByText('The text of notice 11.')
    await app.user.keyboard('j')
    await detail().findByText('The text of notice 10.')
  })

  it('[N-31] marks the open or the focused one as unread by u, and keeps the focus in its row', async () => {
    await open('/notification', 3)
    await app.user.click(await row(3))
    await waitFor(() => expect(app.inbox.find(idOf(3))?.isRead).toBe(true))
    ;(await screen.findByRole('button', { name: 'Mark as unread' })).focus()
    await app.user.keyboard('u')
    await screen.findByText('Choose a notification to read it here.')
    expect(document.activeElement).toBe(await row(3))
    await waitFor(() => expect(app.inbox.find(idOf(3))?.isRead).toBe(false))

    app.updateInbox((inbox) => inbox.read(idOf(2)))
    await waitFor(async () => expect((await row(2)).textContent).not.toContain('Unread'))
    await app.user.keyboard('ju')
    await waitFor(() => expect(app.inbox.find(idOf(2))?.isRead).toBe(false))
    expect(document.activeElement).toBe(await row(2))
  })

  it('[N-31] shows one that was marked elsewhere in the list of the unread ones', async () => {
    await open('/notification', 15)
    app.updateInbox((inbox) => inbox.readAll())
    await app.user.click(await screen.findByRole('button', { name: 'Unread' }))
    await screen.findByText('No unread notifications.')
    app.updateInbox((inbox) => inbox.markUnread(idOf(1)))
    expect((await row(1)).textContent).toContain('Unread')
  })

  it('keeps a row in the unread list while it is read', async () => {
    await open('/notification?filter=unread', 3)
    await app.user.click(await row(2))
    await waitFor(() => expect(app.inbox.find(idOf(2))?.isRead).toBe(true))
    expect((await row(2)).textContent).not.toContain('Unread')
  })
})
