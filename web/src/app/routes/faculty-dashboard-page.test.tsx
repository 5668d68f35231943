import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { aUser } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'

let app: OpenApp
beforeEach(async () => {
  app = await openApp({ path: '/faculty/dashboard', user: aUser({ role: 'faculty', fullName: 'Meera Nair' }) })
})
afterEach(() => app.close())

it('[L-14] greets by name and says that there are no teaching tools yet', async () => {
  await screen.findByRole('heading', { level: 1, name: 'Welcome, Meera Nair' })
  expect(screen.getByRole('main').textContent).toContain('No teaching tools yetThey are not part of the portal yet.')
})

it('links to the notifications', async () => {
  await app.user.click(await screen.findByRole('link', { name: /^Notifications/ }))
  await screen.findByRole('heading', { level: 1, name: 'Notifications' })
  expect(window.location.pathname).toBe('/notification')
})

it('links to the profile', async () => {
  await app.user.click(await screen.findByRole('link', { name: /^Profile Your name/ }))
  await screen.findByRole('heading', { level: 1, name: 'Profile' })
  expect(window.location.pathname).toBe('/profile')
})

it('links to the landing page, which links back', async () => {
  await app.user.click(await screen.findByRole('link', { name: /^Minor programs The page/ }))
  // The path changes before the new page has rendered.
  await screen.findByRole('heading', { level: 1, name: /^Good .+, Meera$/ })
  expect(window.location.pathname).toBe('/home')
  await app.user.click(await screen.findByRole('link', { name: 'Home' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Welcome, Meera Nair' })).toBeDefined()
})
