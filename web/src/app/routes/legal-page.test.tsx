import { screen } from '@testing-library/react'
import { publicPages } from '@portal/contracts/shared/page-paths'
import { afterEach, describe, expect, it } from 'vitest'
import { aUser } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'

let app: OpenApp
afterEach(() => app.close())

const pages = [
  ['/terms', 'Terms', 'Your account'],
  ['/privacy', 'Privacy policy', 'What we store about you'],
] as const

describe.each(pages)('%s', (path, title, section) => {
  it.each(['a visitor', 'student', 'faculty', 'admin'] as const)('[G-60] opens for %s', async (who) => {
    app = await openApp({ path, ...(who !== 'a visitor' && { user: aUser({ role: who }) }) })
    expect(await screen.findAllByRole('heading', { level: 1, name: title })).toHaveLength(1)
    expect(screen.getByRole('heading', { level: 2, name: section })).toBeDefined()
    expect(window.location.pathname).toBe(path)
    expect(screen.getByRole('link', { name: 'minor@example.org' }).getAttribute('href')).toBe(
      'mailto:minor@example.org',
    )
  })

  it('leads to the other text and to the portal', async () => {
    app = await openApp({ path })
    const other = pages.find(([address]) => address !== path)
    await app.user.click(await screen.findByRole('link', { name: other?.[1] ?? '' }))
    expect(await screen.findByRole('heading', { level: 1, name: other?.[1] ?? '' })).toBeDefined()
    expect(screen.getByRole('link', { name: 'Back to the portal' }).getAttribute('href')).toBe('/home')
  })
})

describe('the links to both texts', () => {
  const addressOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

  it('[G-60] are at the foot of the landing page', async () => {
    app = await openApp({ path: '/home' })
    await screen.findByRole('navigation', { name: 'Legal' })
    expect([addressOf('Terms'), addressOf('Privacy policy')]).toEqual(['/terms', '/privacy'])
  })
})

describe('the title of a page that anyone can open', () => {
  it.each(Object.entries(publicPages))('is the one of its preview: %s', async (path, { title }) => {
    app = await openApp({ path })
    await screen.findByRole('heading', { level: 1 })
    expect(document.title).toBe(`${title} · Minor Programs`)
  })
})
