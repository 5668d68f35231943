import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { endSession, startSession } from '../../lib/session.ts'
import { aUser } from '../../testing/fake-portal.ts'
import { renderPages } from '../../testing/render-pages.tsx'
import { BottomNavigation } from './bottom-navigation.tsx'

const open = (path: string) => renderPages({ [path]: <BottomNavigation /> }, path)
const links = () => within(screen.getByRole('navigation', { name: 'Main' })).getAllByRole('link')

describe('the bottom navigation', () => {
  afterEach(() => {
    cleanup()
    endSession('logged-out')
  })

  it('[G-19] links to the four sections', () => {
    open('/home')
    expect(links().map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Home', '/home'],
      ['My Program', '/my-program'],
      ['Notification', '/notification'],
      ['Profile', '/profile'],
    ])
  })

  it('links faculty members to their own home and marks it as active there only, and does not call the programs theirs', () => {
    startSession({ user: aUser({ role: 'faculty' }), token: 'a-token' })
    open('/faculty/dashboard')
    const home = () => screen.getByRole('link', { name: 'Home' })
    expect([home().getAttribute('href'), home().getAttribute('aria-current')]).toEqual(['/faculty/dashboard', 'page'])
    cleanup()
    open('/home')
    expect([home().getAttribute('href'), home().getAttribute('aria-current')]).toEqual(['/faculty/dashboard', null])
    expect(screen.getByRole('link', { name: 'Programs' }).getAttribute('href')).toBe('/my-program')
    expect(screen.queryByRole('link', { name: 'My Program' })).toBeNull()
  })

  it('[G-20] marks the link of the page', () => {
    const marked = {
      '/home': ['Home'],
      '/my-program': ['My Program'],
      '/program-details-active/1': ['My Program'],
      '/program-details-inactives/1': ['My Program'],
      '/notification': ['Notification'],
      '/notification/1': ['Notification'],
      '/profile': ['Profile'],
      '/edit-profile': ['Profile'],
      '/payment': [],
    }
    const markedAt = (path: string) => {
      cleanup()
      open(path)
      const current = links().filter((link) => link.getAttribute('aria-current') === 'page')
      return current.map(({ textContent }) => textContent)
    }
    expect(Object.fromEntries(Object.keys(marked).map((path) => [path, markedAt(path)]))).toEqual(marked)
  })
})
