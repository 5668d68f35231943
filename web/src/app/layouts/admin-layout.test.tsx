import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aCampaign } from '../../features/campaigns/testing/campaigns.ts'
import { endSession, startSession } from '../../lib/session.ts'
import { aUser, ok } from '../../testing/fake-portal.ts'
import { fakeServer } from '../../testing/fake-server.ts'
import { renderPages } from '../../testing/render-pages.tsx'
import { desktopPx, phonePx, setWindowWidth } from '../../testing/window-width.ts'
import { AdminLayout } from './admin-layout.tsx'

const open = (path: string) => renderPages({ [path]: <AdminLayout /> }, path)
const links = () => within(screen.getByRole('navigation', { name: 'Admin' })).getAllByRole('link')
const current = () => links().filter((link) => link.getAttribute('aria-current') === 'page')
const markedAt = (path: string) => {
  cleanup()
  open(path)
  return current().map(({ textContent }) => textContent)
}

describe('the admin navigation', () => {
  let held: object[]
  beforeEach(() => {
    held = []
    fakeServer().on('GET /notifications/held', () => ok({ held }))
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
    endSession('logged-out')
    setWindowWidth(desktopPx)
  })

  it('shows what is about to be sent on each page, but on the page whose form shows it', async () => {
    startSession({ user: aUser({ role: 'admin' }), token: 'token-1' })
    held = [{ notificationId: aCampaign(1).id, title: 'Exam moved', targeted: 2, dueInMs: 600_000 }]
    open('/admin/programs')
    expect((await screen.findByRole('timer')).textContent).toMatch(/^Sending “Exam moved” to 2 people in \d+ s$/)
    cleanup()
    open('/admin/notifications')
    expect(screen.queryByRole('timer')).toBeNull()
  })

  it('[G-22] has a title and links to the five sections', () => {
    open('/admin/dashboard')
    expect(screen.getByText('Admin Panel')).toBeDefined()
    expect(links().map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Dashboard', '/admin/dashboard'],
      ['Programs', '/admin/programs'],
      ['Universities', '/admin/universities'],
      ['Notifications', '/admin/notifications'],
      ['Profile', '/admin/profile'],
    ])
  })

  it('[G-23] marks the link whose path is a prefix', () => {
    const marked = {
      '/admin/dashboard': ['Dashboard'],
      '/admin/programs': ['Programs'],
      '/admin/programs/new': ['Programs'],
      '/admin/programs/edit/42': ['Programs'],
      '/admin/universities': ['Universities'],
      '/admin/notifications': ['Notifications'],
      '/admin/notifications/42': ['Notifications'],
      '/admin/dashboard/users': ['Dashboard'],
      '/admin/people/42': ['Dashboard'],
      '/admin/profile': ['Profile'],
    }
    expect(Object.fromEntries(Object.keys(marked).map((path) => [path, markedAt(path)]))).toEqual(marked)
  })

  it('[D-13] names the time zone of all times on its pages, in short on a phone', () => {
    open('/admin/dashboard/users')
    expect(screen.getByText('Times are in India Standard Time (IST)')).toBeDefined()
    cleanup()
    setWindowWidth(phonePx)
    open('/admin/dashboard/users')
    expect(screen.getByText('Times in IST')).toBeDefined()
  })

  it('is a bar at the bottom on a phone, with the same links and the same name', () => {
    setWindowWidth(phonePx)
    open('/admin/people/42')
    expect(links().map(({ textContent }) => textContent)).toEqual([
      'Dashboard',
      'Programs',
      'Universities',
      'Notifications',
      'Profile',
    ])
    expect(current().map(({ textContent }) => textContent)).toEqual(['Dashboard'])
  })

  it('shows who is signed in, and opens appearance, profile and log-out', async () => {
    startSession({ user: aUser({ fullName: 'Meera Joshi', role: 'admin' }), token: 'a-token' })
    open('/admin/dashboard')
    await userEvent.click(screen.getByRole('button', { name: 'Meera Joshi' }))
    const account = within(await screen.findByRole('dialog', { name: 'Account' }))
    expect(account.getByRole('radiogroup', { name: 'Appearance' })).toBeDefined()
    expect(account.getByRole('button', { name: 'Logout' })).toBeDefined()
    await userEvent.click(account.getByRole('link', { name: 'Profile' }))
    expect(await screen.findByText('At /admin/profile')).toBeDefined()
  })
})
