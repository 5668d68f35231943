import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { problem } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'

let app: OpenApp
afterEach(() => app.close())

it('takes a user who has an account from the registration to the password of the login page', async () => {
  app = await openApp({
    path: '/register',
    answers: {
      'GET /api/universities': () => ({
        status: 200,
        body: [{ _id: '01930000-0000-7000-8000-000000000001', name: 'Hill University' }],
      }),
      'POST /auth/register/initiate': () => problem(409, 'conflict', ''),
    },
  })
  const { user, fill } = app
  await fill(await screen.findByLabelText('Name'), 'Ananya Iyer')
  await screen.findByPlaceholderText('Choose your university')
  await user.type(screen.getByRole('combobox', { name: 'University Name' }), 'hill{Enter}')
  await fill(screen.getByLabelText('Password'), 'Secret#1x')
  await fill(screen.getByLabelText('Confirm Password'), 'Secret#1x')
  await user.keyboard('{Enter}')
  await fill(await screen.findByLabelText('Email'), 'Ananya@example.com')
  await fill(screen.getByLabelText('Mobile number'), '9876543210')
  await user.keyboard('{Enter}')
  await user.click(await screen.findByRole('link', { name: 'Log in' }))
  await waitFor(() => expect(window.location.pathname).toBe('/login'))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Password')))
  expect(screen.getByLabelText('Email')).toHaveProperty('value', 'Ananya@example.com')
})
