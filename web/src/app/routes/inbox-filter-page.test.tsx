import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { idOf } from '../../testing/fake-inbox.ts'
import { aUser, problem } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'
import { insertAllStyles } from '../../testing/styles.tsx'

let app: OpenApp

/** The texts of numbers 1 to 6 have all types in turn; 2 and 4 are read. */
const open = async (search = '') => {
  app = await openApp({
    path: `/notification${search}`,
    user: aUser(),
    setUpInbox: (inbox) => {
      inbox.arrive({ type: 'General' })
      inbox.arrive({ type: 'Exam', message: 'Room 12' })
      inbox.arrive({ type: 'Assignment' })
      inbox.arrive({ type: 'Exam', message: 'Room 14' })
      inbox.read(idOf(2))
      inbox.read(idOf(4))
    },
  })
  await waitFor(() => expect(app.seen).toContain(app.inbox.head().seq))
}

const titles = () =>
  screen.queryAllByText(/^Notice \d+$/, { selector: '.title > span' }).map((title) => title.textContent)
const filters = () => within(screen.getByRole('group', { name: 'Filter' }))
const types = () =>
  within(filters().getByRole('group', { name: 'Types' }))
    .getAllByRole('button')
    .map(({ textContent }) => textContent)
const chooseType = async (type: string) => {
  await app.user.click(filters().getByRole('button', { name: 'Types', expanded: false }))
  await app.user.click(filters().getByRole('button', { name: type }))
}
const expectTitles = (...numbers: readonly number[]) =>
  waitFor(() => expect(titles()).toEqual(numbers.map((n) => `Notice ${n}`)))
const badge = () => within(screen.getByRole('link', { name: /unread Notification$|^Notification$/ }))

describe('the filter of the inbox', () => {
  beforeEach(() => window.scrollTo(0, 0))
  afterEach(() => app.close())

  it('shows unread notifications or chosen types, and keeps this in the address', async () => {
    await open()
    await expectTitles(4, 3, 2, 1)
    await app.user.click(filters().getByRole('button', { name: 'Unread' }))
    await expectTitles(3, 1)
    expect(window.location.search).toBe('?filter=unread')
    expect(screen.getByText('Showing 1 to 2 of 2 notifications')).toBeDefined()
    await app.user.click(filters().getByRole('button', { name: 'All' }))
    await expectTitles(4, 3, 2, 1)
    expect(window.location.search).toBe('')

    await chooseType('Exam')
    await expectTitles(4, 2)
    await app.user.click(filters().getByRole('button', { name: 'General' }))
    await expectTitles(4, 2, 1)
    expect(new URLSearchParams(window.location.search).get('type')).toBe('Exam,General')
    expect(filters().getByRole('button', { name: 'Exam' }).getAttribute('aria-pressed')).toBe('true')
    // It would also mark what is not shown.
    expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull()
  })

  it('shows the active types without the others, and switches them off there', async () => {
    await open('?type=Exam,General')
    await expectTitles(4, 2, 1)
    expect(types()).toEqual(['Exam', 'General'])
    await app.user.click(filters().getByRole('button', { name: 'General' }))
    await expectTitles(4, 2)
    expect(types()).toEqual(['Exam'])
    const button = filters().getByRole('button', { name: 'Types' })
    expect(document.activeElement).toBe(button)
    await app.user.keyboard('{Enter}')
    expect(types()).toHaveLength(6)
    await app.user.keyboard('{Enter}')
    expect(types()).toEqual(['Exam'])
    await app.user.click(filters().getByRole('button', { name: 'Exam' }))
    await expectTitles(4, 3, 2, 1)
    expect(filters().queryByRole('group', { name: 'Types' })).toBeNull()
  })

  it('searches behind the magnifier, which / opens', async () => {
    insertAllStyles()
    await open()
    await expectTitles(4, 3, 2, 1)
    await app.user.keyboard('/')
    const field = await screen.findByRole('searchbox', { name: 'Search notifications' })
    expect(document.activeElement).toBe(field)
    await app.user.type(field, 'room 14')
    await expectTitles(4)
    expect(window.location.search).toBe('?q=room+14')
    const count = await screen.findByText('1 notification found')
    expect(getComputedStyle(count).position).not.toBe('absolute')
    await app.user.click(screen.getByRole('button', { name: 'Close search' }))
    await expectTitles(4, 3, 2, 1)
    expect(window.location.search).toBe('')
    expect(screen.queryByRole('searchbox')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Search notifications' }))
  })

  it('is restored from the address', async () => {
    await open('?filter=unread&type=Assignment,Exam&q=notice')
    await expectTitles(3)
    const field = await screen.findByRole('searchbox', { name: 'Search notifications' })
    expect(field).toHaveProperty('value', 'notice')
    expect(filters().getByRole('button', { name: 'Unread' }).getAttribute('aria-pressed')).toBe('true')
  })

  it('is ignored if the address has an unknown one', async () => {
    await open('?filter=starred&type=Party')
    await expectTitles(4, 3, 2, 1)
  })

  it('offers a way out if nothing matches', async () => {
    await open('?q=nowhere')
    await screen.findByText('No notification matches “nowhere”.')
    await app.user.click(screen.getByRole('button', { name: 'Clear filter' }))
    await expectTitles(4, 3, 2, 1)
    expect(window.location.search).toBe('')
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Notifications' }))
  })

  it('says when nothing is unread, and stays in reach if the search fails', async () => {
    await open('?filter=unread')
    await expectTitles(3, 1)
    app.updateInbox((inbox) => inbox.readAll())
    // Rows stay until the next load.
    await waitFor(() => expect(screen.queryByText('Unread:')).toBeNull())
    await expectTitles(3, 1)
    await app.user.click(filters().getByRole('button', { name: 'All' }))
    await expectTitles(4, 3, 2, 1)
    await app.user.click(filters().getByRole('button', { name: 'Unread' }))
    await screen.findByText('No unread notifications.')

    app.answer('GET /notifications', () => problem(503, 'unavailable', 'Not now'))
    await chooseType('Exam')
    await screen.findByText('Failed to load notifications. Please try again later.')
    expect(filters().getByRole('button', { name: 'All' })).toBeDefined()
  })

  it('shows arrivals that match, and announces the others in a toast', async () => {
    await open('?type=Exam')
    await expectTitles(4, 2)
    app.updateInbox((inbox) => inbox.arrive({ type: 'Exam' }))
    await expectTitles(5, 4, 2)
    expect(screen.queryByRole('button', { name: 'Close message' })).toBeNull()
    app.updateInbox((inbox) => inbox.arrive({ type: 'General', title: 'Elsewhere' }))
    await screen.findByText('Elsewhere')
    expect(screen.getByRole('button', { name: 'Close message' })).toBeDefined()
    expect(titles()).toHaveLength(3)
    expect(badge().getByText('4 unread')).toBeDefined()
  })

  it('is kept while a notification is open, and on the way back', async () => {
    await open('?filter=unread')
    await expectTitles(3, 1)
    await app.user.click(screen.getByRole('link', { name: /Notice 3/ }))
    await screen.findByText('Notification Details')
    expect(window.location.search).toBe('?filter=unread')
    await app.user.click(screen.getByRole('link', { name: 'Back to notifications' }))
    await expectTitles(1)
    expect(window.location.search).toBe('?filter=unread')
    expect(badge().getByText('1 unread')).toBeDefined()
  })
})
