import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { renderPages } from '../../testing/render-pages.tsx'
import { AdminLayout } from './admin-layout.tsx'

const open = (path: string) => renderPages({ [path]: <AdminLayout /> }, path)
const links = () => within(screen.getByRole('navigation', { name: 'Admin' })).getAllByRole('link')

describe('the admin navigation', () => {
  afterEach(cleanup)

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

  it.each([
    ['/admin/dashboard', 'Dashboard'],
    ['/admin/programs', 'Programs'],
    ['/admin/programs/new', 'Programs'],
    ['/admin/programs/edit/42', 'Programs'],
    ['/admin/universities', 'Universities'],
    ['/admin/notifications', 'Notifications'],
    ['/admin/notifications/42', 'Notifications'],
    ['/admin/people/42', 'Notifications'],
    ['/admin/profile', 'Profile'],
  ])('[G-23] marks the link whose path is a prefix of %s', (path, active) => {
    open(path)
    const current = links().filter((link) => link.getAttribute('aria-current') === 'page')
    expect(current.map(({ textContent }) => textContent)).toEqual([active])
  })
})
