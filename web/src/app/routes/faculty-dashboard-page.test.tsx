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

it('links to notifications, profile, public page and programs, from which Home leads back', async () => {
  const follow = async (link: string | RegExp, level: number, heading: string | RegExp, path: string) => {
    await app.user.click(await screen.findByRole('link', { name: link }))
    await screen.findByRole('heading', { level, name: heading })
    expect(window.location.pathname).toBe(path)
  }
  const goHome = () => follow('Home', 1, 'Welcome, Meera Nair', '/faculty/dashboard')
  await follow('See all', 1, 'Notifications', '/notification')
  await goHome()
  await follow(/^Profile Your name/, 1, 'Profile', '/profile')
  await goHome()
  await follow(/^About the Minor/, 2, /^Add a\s+Minor to\s+your degree\.$/, '/home')
  await screen.findByRole('heading', { level: 1, name: /^Good .+, Meera$/ })
  await goHome()
  // As learners see them, but not called the programs of a teacher.
  await follow(/^Minor programs/, 1, 'Minor Programs', '/my-program')
  expect(await screen.findByRole('link', { name: /Minor 1/ })).not.toBeNull()
  expect(screen.getByRole('link', { name: 'Programs' }).getAttribute('aria-current')).toBe('page')
  expect(screen.queryByRole('link', { name: 'My Program' })).toBeNull()
})
