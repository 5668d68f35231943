import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'

let app: OpenApp
afterEach(() => app.close())

it('moves the token from the address to the router state', async () => {
  app = await openApp({ path: '/reset-password?token=Tok_en-1' })
  await screen.findByRole('heading', { level: 1, name: 'Set New Password' })
  await waitFor(() => expect(location.href).toMatch(/\/reset-password$/))
  expect(JSON.stringify(history.state)).toContain('Tok_en-1')
})
