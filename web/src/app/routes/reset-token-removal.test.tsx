import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'

let app: OpenApp
afterEach(() => app.close())

it('[E14] moves token and e-mail address from the address bar to the router state, and tells password managers the latter', async () => {
  app = await openApp({ path: '/reset-password?token=Tok_en-1#email=asha%40example.com' })
  await screen.findByRole('heading', { level: 1, name: 'Set New Password' })
  await waitFor(() => expect(location.href).toMatch(/\/reset-password$/))
  expect(JSON.stringify(history.state)).toContain('Tok_en-1')
  expect(document.querySelector('form [autocomplete="username"]')).toHaveProperty('value', 'asha@example.com')
})
