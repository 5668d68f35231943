import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { aUser } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'

let app: OpenApp
afterEach(() => app.close())

const dialog = () => screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
const shortcuts = async () =>
  within(await dialog())
    .getAllByRole('definition')
    .map(({ textContent }) => textContent)

describe('the list of keyboard shortcuts', () => {
  it('opens on a question mark, closes on Escape, and returns the focus', async () => {
    app = await openApp({ path: '/admin/universities', user: aUser({ role: 'admin' }) })
    const link = await screen.findByRole('link', { name: 'Programs' })
    // It is a text in a field.
    const field = await screen.findByLabelText<HTMLInputElement>('University name')
    await app.user.type(field, 'Where?')
    expect(field.value).toBe('Where?')
    expect(screen.queryByRole('dialog')).toBeNull()
    link.focus()
    await app.user.keyboard('?')
    expect(await shortcuts()).toEqual([
      'Search the list',
      'Send the notification, after a confirmation',
      'Undo the last change',
      'Move within a list of people',
      'Show this list',
    ])
    await app.user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(link)
  })

  it('has for learners only what they can use', async () => {
    app = await openApp({ path: '/notification', user: aUser() })
    await screen.findByRole('heading', { name: 'Notifications' })
    await app.user.keyboard('?')
    expect(await shortcuts()).toEqual([
      'Search the list',
      'Older or newer notification',
      'Mark the notification as unread',
      'Undo the last change',
      'Show this list',
    ])
  })
})
