import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { aProgram, catalogAnswers, fakeCatalog, programIdOf } from '../../testing/fake-catalog.ts'
import { aUser, ok, problem, type FakeHandler } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'
import { insertAllStyles } from '../../testing/styles.tsx'
import { light } from '../theme/tokens.ts'

let app: OpenApp

const open = async (answers: Record<string, FakeHandler> = {}, user = aUser()) => {
  const catalog = fakeCatalog([aProgram(1), aProgram(2)])
  catalog.enroll(programIdOf(1), 'Completed')
  catalog.enroll(programIdOf(2), 'Pending')
  app = await openApp({
    path: '/profile',
    user,
    answers: { ...catalogAnswers(catalog), 'GET /user/profile': () => ok({ user }), ...answers },
  })
}

describe('the profile page', () => {
  afterEach(() => app.close())

  it('[G-13 G-24 P-46 X-1 X-4 X-5 X-6 X-8] shows the user, a link to the edit page, and the enrolled programs with their fee status', async () => {
    insertAllStyles()
    await open()
    await screen.findByRole('heading', { name: 'Ananya Iyer' })
    for (const text of ['ananya@example.com', 'MP26-00042', 'Hill University', '9876543210'])
      expect(screen.getByText(text)).toBeDefined()
    const rows = screen.getAllByRole('term').map((term) => term.textContent)
    expect(rows).toEqual(['Student code', 'University', 'Mobile number', 'Language of notifications'])
    expect(screen.getByRole('link', { name: 'Edit' }).getAttribute('href')).toBe('/edit-profile')
    expect((await screen.findByText('My Community')).textContent).toContain('Coming Soon')
    expect(screen.getByRole('link', { name: 'Payment History' }).getAttribute('href')).toBe('/payment')

    const completed = await screen.findByRole('link', { name: /Minor 1/ })
    expect(completed.textContent).toBe('Minor 1Semester 1Fees: Completed')
    expect(completed.getAttribute('href')).toBe(`/program-details-active/${programIdOf(1)}`)
    const pending = screen.getByRole('link', { name: /Minor 2/ })
    expect(pending.textContent).toBe('Minor 2Semester 1Fees: Pending')
    const colorOf = (card: HTMLElement, text: string) => getComputedStyle(within(card).getByText(text)).color
    expect(colorOf(completed, 'Completed')).toBe(light.tones.green.text)
    expect(colorOf(pending, 'Pending')).toBe(light.tones.yellow.text)
  })

  it('[X-43] downloads the data of the user, with the words of the server if it fails', async () => {
    const offered = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
    const limit = 'Too many downloads of your data. Please try again in 24 hours.'
    let answer = ok({ name: 'Ananya Iyer' })
    await open({ 'GET /user/export': () => answer })
    const press = async () => app.user.click(await screen.findByRole('button', { name: 'Download my data' }))
    await press()
    expect(await screen.findByText('Your data has been downloaded')).toBeDefined()
    expect(offered.mock.contexts.map((link) => link instanceof HTMLAnchorElement && link.download)).toEqual([
      'my-data.json',
    ])
    answer = problem(429, 'too-many-requests', limit)
    await press()
    expect(await screen.findByText(limit)).toBeDefined()
    offered.mockRestore()
  })

  it('shows faculty members neither a student code nor enrollments', async () => {
    await open({}, aUser({ role: 'faculty', studentCode: '' }))
    await screen.findByText('My Community')
    const rows = screen.getAllByRole('term').map((term) => term.textContent)
    expect(rows).toEqual(['University', 'Mobile number', 'Language of notifications'])
    expect(screen.queryByRole('heading', { name: 'My Programs' })).toBeNull()
    expect(app.requests.map(({ path }) => path)).not.toContain('/user/my-programs')
  })

  it('[X-3 X-7] shows the profile image, or the initials if it is broken, and links to the programs if not enrolled', async () => {
    const answers = { 'GET /user/my-programs': () => ok({ programs: [], data: [] }) }
    await open(answers, aUser({ profileImage: '/media/ananya.jpg' }))
    await screen.findByRole('heading', { name: 'Ananya Iyer' })
    const picture = document.querySelector('img[src="/media/ananya.jpg"]')
    fireEvent.error(picture ?? document.body)
    expect(await screen.findByText('AI')).toBeDefined()
    await app.user.click(await screen.findByRole('link', { name: 'Enroll Now' }))
    expect(await screen.findByRole('heading', { name: 'My Programs', level: 1 })).toBeDefined()
  })

  it('can be left while the programs are loading', async () => {
    await open({ 'GET /user/my-programs': () => new Promise<never>(() => undefined) })
    await screen.findByRole('status', { name: 'Loading your programs' })
    expect(screen.getByText('My Community')).toBeDefined()
    await app.user.click(screen.getByRole('button', { name: 'Logout' }))
    await screen.findByRole('dialog', { name: 'Are you sure you want to logout?' })
  })

  it('logs out without waiting for a slow network', async () => {
    await open({ 'POST /auth/logout': () => new Promise<never>(() => undefined) })
    await app.user.click(await screen.findByRole('button', { name: 'Logout' }))
    await app.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Logout' }))
    await screen.findByRole('button', { name: 'Login' }, { timeout: 10_000 })
    expect(localStorage.getItem('token')).toBeNull()
  })

  it('[X-26] shows an error if the profile cannot be loaded, and the stored user', async () => {
    const broken = () => problem(500, 'internal', 'Broken')
    await open({ 'GET /user/profile': broken, 'GET /user/my-programs': broken })
    await screen.findByText('Failed to load profile')
    const programs = await screen.findByText(/^Failed to load programs/)
    expect(programs.closest('[role=alert]')).not.toBeNull()
    expect(screen.getByRole('heading', { name: 'Ananya Iyer' })).toBeDefined()
  })
})
