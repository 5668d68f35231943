import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { aProgram, catalogAnswers, fakeCatalog } from '../../testing/fake-catalog.ts'
import { aUser } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'

let app: OpenApp
const open = async (fullName: string) => {
  app = await openApp({
    path: '/faculty/dashboard',
    user: aUser({ role: 'faculty', fullName }),
    setUpInbox: (inbox) => void inbox.arrive({ title: 'Exam on Friday' }),
    answers: catalogAnswers(fakeCatalog([aProgram(1)])),
  })
}
beforeEach(() => open('Meera Nair'))
afterEach(() => app.close())

it('[L-14] greets by name and shows the latest notifications', async () => {
  await screen.findByRole('heading', { level: 1, name: 'Welcome, Meera Nair' })
  expect(await screen.findByText('Exam on Friday')).not.toBeNull()
  expect(screen.getByRole('main').textContent).not.toContain('not part of the portal')
})

it('does not greet by a name with a word that fills several lines', async () => {
  await app.close()
  await open(`Meera ${'Venkatanarasimharaju'.repeat(5)}`)
  expect(await screen.findByRole('heading', { level: 1, name: 'Welcome' })).not.toBeNull()
})

it('links to the notifications', async () => {
  await app.user.click(await screen.findByRole('link', { name: 'See all' }))
  await screen.findByRole('heading', { level: 1, name: 'Notifications' })
  expect(window.location.pathname).toBe('/notification')
})

it('links to the profile', async () => {
  await app.user.click(await screen.findByRole('link', { name: /^Profile Your name/ }))
  await screen.findByRole('heading', { level: 1, name: 'Profile' })
  expect(window.location.pathname).toBe('/profile')
})

it('links to the programs as learners see them, which are not called the programs of a teacher', async () => {
  await app.user.click(await screen.findByRole('link', { name: /^Minor programs/ }))
  await screen.findByRole('heading', { level: 1, name: 'Minor Programs' })
  expect(await screen.findByRole('link', { name: /Minor 1/ })).not.toBeNull()
  expect(screen.getByRole('link', { name: 'Programs' }).getAttribute('aria-current')).toBe('page')
  expect(screen.queryByRole('link', { name: 'My Program' })).toBeNull()
})

it('links to the public page, which links back', async () => {
  await app.user.click(await screen.findByRole('link', { name: /^About the Minor/ }))
  // The path changes before the new page has rendered.
  await screen.findByRole('heading', { level: 1, name: /^Good .+, Meera$/ })
  await screen.findByRole('heading', { level: 2, name: /^Add a\s+Minor to\s+your degree\.$/ })
  expect(window.location.pathname).toBe('/home')
  await app.user.click(await screen.findByRole('link', { name: 'Home' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Welcome, Meera Nair' })).toBeDefined()
})
