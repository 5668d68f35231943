import { screen, waitFor, within } from '@testing-library/react'
import { wrongPassword } from '@portal/contracts/auth/errors'
import { networkErrorMessage } from '@portal/contracts/shared/problem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aUser, ok, problem, type FakeAnswer, type FakeHandler } from '../../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../../testing/open-app.tsx'

let app: OpenApp

const admin = aUser({ role: 'admin', fullName: 'Meera Nair', personalEmail: 'meera@example.com' })

const open = async (answers: Record<string, FakeHandler> = {}) => {
  app = await openApp({
    path: '/admin/profile',
    user: admin,
    answers: {
      'GET /user/profile': () => ok({ user: admin }),
      'PUT /user/profile': ({ body }) => ok({ user: { ...admin, ...(body as object) } }),
      ...answers,
    },
  })
  await screen.findByRole('heading', { level: 1, name: 'Profile' })
}

const facts = () =>
  Object.fromEntries(
    screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  )
const rename = async (name: string) => {
  await app.user.click(screen.getByRole('button', { name: 'Edit' }))
  await app.fill(screen.getByLabelText('Full name'), name)
}
const saved = () => app.requests.filter(({ method }) => method === 'PUT').map(({ body }) => body)

describe('the admin profile page', () => {
  beforeEach(() => vi.spyOn(console, 'warn').mockReturnValue())
  afterEach(async () => {
    await app.close()
    vi.restoreAllMocks()
  })

  it('[X-2 X-13 X-14 X-15 X-22 X-28] shows plain text, and allows only the name to be edited, which is required', async () => {
    await open()
    expect(facts()).toEqual({ 'Full name': 'Meera Nair', Email: 'meera@example.com', Role: 'Admin' })
    expect(screen.queryByRole('textbox')).toBeNull()
    await rename('Somebody else')
    await app.user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(facts()['Full name']).toBe('Meera Nair')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit' }))
    await app.user.click(screen.getByRole('button', { name: 'Edit' }))
    expect(screen.getByLabelText<HTMLInputElement>('Full name').value).toBe('Meera Nair')

    await app.fill(screen.getByLabelText('Full name'), '   ')
    await app.user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Name is required')).toBeDefined()
    expect(saved()).toEqual([])

    await app.fill(screen.getByLabelText('Full name'), 'Meera Menon')
    expect(screen.getAllByRole('textbox')).toHaveLength(1)
    expect(facts()).toEqual({ Email: 'meera@example.com', Role: 'Admin' })
    await app.user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Profile updated successfully!')).toBeDefined()
    expect(saved()).toEqual([{ fullName: 'Meera Menon' }])
    expect(facts()['Full name']).toBe('Meera Menon')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit' }))
  })

  it('[X-27] keeps the typed name if it cannot be saved, and says why', async () => {
    await open({ 'PUT /user/profile': () => problem(500, 'internal', 'Broken') })
    await rename('Meera Menon')
    await app.user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Failed to update profile')).toBeDefined()
    app.answer('PUT /user/profile', () => Promise.reject(new TypeError('Failed to fetch')))
    await app.user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(networkErrorMessage)).toBeDefined()
    expect(screen.getByLabelText<HTMLInputElement>('Full name').value).toBe('Meera Menon')
  })

  it('[X-26] shows an error if the profile cannot be loaded, and the stored user', async () => {
    await open({ 'GET /user/profile': () => problem(503, 'unavailable', 'Busy') })
    expect(await screen.findByText('Failed to load profile')).toBeDefined()
    expect(facts()['Full name']).toBe('Meera Nair')
  })

  it('[X-13] logs out after a confirmation', async () => {
    await open()
    await app.user.click(screen.getByRole('button', { name: 'Logout' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('Are you sure you want to logout?')).toBeDefined()
    await app.user.click(dialog.getByRole('button', { name: 'Logout' }))
    await waitFor(() => expect(window.location.pathname).toBe('/login'))
  })

  it('[X-42] changes the own password, with refusals at the field', async () => {
    let answer: FakeAnswer = {
      status: 400,
      body: { success: false, ...wrongPassword, errors: { currentPassword: wrongPassword.message } },
    }
    await open({ 'PUT /user/password': () => answer })
    const change = async () => app.user.click(screen.getByRole('button', { name: 'Change password' }))
    await change()
    expect(await screen.findByText('Please enter your current password.')).toBeDefined()
    expect(saved()).toEqual([])
    await app.fill(screen.getByLabelText('Current password'), 'Wrong-2026')
    await app.fill(screen.getByLabelText('New password'), 'Saffron-2027')
    await app.fill(screen.getByLabelText('Confirm new password'), 'Saffron-2027')
    await change()
    expect(await screen.findByText(wrongPassword.message)).toBeDefined()
    answer = ok({ message: 'Password changed successfully!' })
    await change()
    expect(await screen.findByText('Password changed successfully!')).toBeDefined()
    expect(screen.getByLabelText<HTMLInputElement>('Current password').value).toBe('')
    expect(saved().at(-1)).toEqual({ currentPassword: 'Wrong-2026', newPassword: 'Saffron-2027' })
  })
})
