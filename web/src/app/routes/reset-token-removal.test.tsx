import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'

let app: OpenApp
afterEach(() => app.close())

it('takes the token out of the address, and keeps it with the entry of the history', async () => {
  app = await openApp({ path: '/reset-password?token=Tok_en-1' })
  await screen.findByRole('heading', { level: 1, name: 'Set New Password' })
  await waitFor(() => expect(location.href).toMatch(/\/reset-password$/))
  expect(JSON.stringify(history.state)).toContain('Tok_en-1')
})
