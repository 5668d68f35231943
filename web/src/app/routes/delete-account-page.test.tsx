import { screen, within } from '@testing-library/react'
import { lastAdmin } from '@portal/contracts/auth/account-errors'
import { wrongPassword } from '@portal/contracts/auth/errors'
import { afterEach, describe, expect, it } from 'vitest'
import { aUser, ok, problem, type FakeAnswer } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'
import { exactTime } from '../../ui/time.tsx'

const receipt = { id: '01890000-0000-7000-8000-000000000042', erasedAt: '2026-11-20T03:35:00.000Z' }
const wrong: FakeAnswer = {
  status: 400,
  body: { success: false, ...wrongPassword, errors: { password: wrongPassword.message } },
}

let app: OpenApp
let answer: FakeAnswer
afterEach(() => app.close())

const open = async (role: 'student' | 'admin') => {
  const user = aUser({ role })
  app = await openApp({
    path: role === 'admin' ? '/admin/profile' : '/edit-profile',
    user,
    answers: { 'GET /user/profile': () => ok({ user }), 'DELETE /user/profile': () => answer },
  })
  await app.user.click(await screen.findByRole('button', { name: 'Delete my account' }))
  return within(await screen.findByRole('dialog', { name: 'Delete your account?' }))
}

describe('deleting the own account', () => {
  it('[X-41] says what goes, takes the password, ends the session, and the login page shows the receipt', async () => {
    const dialog = await open('student')
    expect(dialog.getByText(/Your name, email address, mobile number and university are erased/)).toBeDefined()
    await app.user.keyboard('{Enter}')
    expect(await dialog.findByText('Please enter your current password.')).toBeDefined()
    answer = wrong
    await app.user.keyboard('Wrong-2026{Enter}')
    expect(await dialog.findByText(wrongPassword.message)).toBeDefined()
    answer = ok({ receipt })
    await app.fill(dialog.getByLabelText('Your password'), 'Monsoon-2026')
    await app.user.keyboard('{Enter}')
    const said = `Your account was deleted on ${exactTime(receipt.erasedAt)}. Your receipt: ${receipt.id}`
    expect(await screen.findByText(said)).toBeDefined()
    expect(window.location.pathname).toBe('/login')
    expect(screen.queryByText('Your session has ended. Please log in again.')).toBeNull()
    expect(localStorage.getItem('user')).toBeNull()
    expect(app.requests.at(-1)?.body).toEqual({ password: 'Monsoon-2026' })
  })

  it('[X-41] shows the receipt, too, if the sockets end before the answer comes', async () => {
    const dialog = await open('student')
    answer = ok({ receipt })
    app.answer('DELETE /user/profile', async () => {
      app.endSessions('erased')
      await screen.findByRole('heading', { name: 'Welcome back' })
      return answer
    })
    await app.fill(dialog.getByLabelText('Your password'), 'Monsoon-2026')
    await app.user.keyboard('{Enter}')
    expect(await screen.findByText(/Your receipt: /)).toBeDefined()
  })

  it('[X-41] is refused to the last admin, which the dialog says', async () => {
    const dialog = await open('admin')
    answer = problem(409, 'conflict', lastAdmin.message)
    await app.user.keyboard('Monsoon-2026{Enter}')
    expect(await dialog.findByText(lastAdmin.message)).toBeDefined()
    await app.user.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(await screen.findByRole('button', { name: 'Delete my account' })).toBeDefined()
  })
})
